import ipaddr from 'ipaddr.js'

/** Names and addresses that photos may be fetched from. */
export interface AddressPolicy {
  /** Whether a name may be looked up at all. */
  allowsName(name: string): boolean
  /** Whether a socket may be opened to an IPv4 or IPv6 address. */
  allowsAddress(address: string): boolean
}

/** Names that are never public: RFC 6761 (localhost), 6762 (local), 8375 (home.arpa), ICANN 2024 (internal). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/i

/** The only range of global unicast IPv6 allocated so far (IANA); the rest is not public. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Azure's host agent, which gives credentials to any process of a machine. */
const CLOUD_AGENT_ADDRESSES = new Set(['168.63.129.16'])

/**
 * Allows public addresses and the ranges that the operator lists. IPv6 addresses that embed an IPv4 address (mapped, 6to4,
 * NAT64, Teredo) are never public.
 * @param allowedCidrs - valid CIDR ranges; each permits exactly its own family and range
 */
export function createAddressPolicy(allowedCidrs: readonly string[]): AddressPolicy {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr))
  return {
    // Refused without a lookup, so that nobody learns which local names exist.
    allowsName: (name) => allowed.length > 0 || !isLocalName(name),
    allowsAddress: (address) => {
      if (!ipaddr.isValid(address)) return false
      const parsed = ipaddr.parse(address)
      return isPublic(parsed) || allowed.some((range) => isInside(parsed, range))
    },
  }
}

/** Whether a name can only be one of this machine or of the operator's network. */
export function isLocalName(name: string): boolean {
  const relative = name.replace(/\.$/, '')
  return !relative.includes('.') || LOCAL_NAME.test(relative)
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || CLOUD_AGENT_ADDRESSES.has(address.toString())) return false
  return address.kind() === 'ipv4' || isInside(address, GLOBAL_IPV6)
}

function isInside(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  [network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number],
): boolean {
  // ipaddr.js throws when the families differ.
  return address.kind() === network.kind() && address.match(network, bits)
}
