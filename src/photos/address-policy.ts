import ipaddr from 'ipaddr.js'

/** What the service may connect to when it fetches photos. */
export interface AddressPolicy {
  /** Whether a name may be looked up at all. */
  allowsName(name: string): boolean
  /** Whether a socket may be opened to an IPv4 or IPv6 address. */
  allowsAddress(address: string): boolean
}

/** Names that are never public: RFC 6761 (localhost), 6762 (local), 8375 (home.arpa), ICANN 2024 (internal). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/i

/** All of global unicast IPv6 that has been handed out so far (IANA); the rest of the space is not public. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** The address of Azure's host agent, which hands out credentials to whoever asks from inside a machine. */
const CLOUD_AGENT_ADDRESSES = new Set(['168.63.129.16'])

/**
 * Lets photos come from public addresses and from the ranges the operator lists, nothing else. Addresses
 * that carry an IPv4 address inside (mapped, 6to4, NAT64, Teredo) are never public.
 * @param allowedCidrs - valid CIDR ranges; each permits exactly its own family and range
 */
export function createAddressPolicy(allowedCidrs: readonly string[]): AddressPolicy {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr))
  return {
    // Where nothing private is allowed, refusing local names unasked tells nobody which of them exist.
    allowsName: (name) => allowed.length > 0 || !isLocalName(name),
    allowsAddress: (address) => {
      if (!ipaddr.isValid(address)) return false
      const parsed = ipaddr.parse(address)
      return isPublic(parsed) || allowed.some((range) => isInside(parsed, range))
    },
  }
}

function isLocalName(name: string): boolean {
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
