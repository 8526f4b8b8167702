import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { AddressPolicy } from './address-policy.js'

/** A connection was not opened because the policy does not allow its name or address. */
export class AddressRefusedError extends Error {
  constructor() {
    super('The address is not one that photos may be fetched from.')
  }
}

export interface GuardedAgents {
  http: http.Agent
  https: https.Agent
}

export interface GuardedAgentOptions {
  /** Resolves names; the system's resolver by default. */
  lookup?: net.LookupFunction | undefined
}

/**
 * Agents whose every socket goes to an address the policy allows. A name is judged by all addresses it
 * resolves to, in the same look-up that the socket then connects with, so that a name which changes its
 * answer (DNS rebinding) gains nothing. Requests fail with `AddressRefusedError`.
 *
 * NOTE: sockets are not kept alive. A kept socket may be closed by its server at any moment, which without
 * retries is a failed photo; and with a fresh one for each hop, no hop escapes the check.
 */
export function createGuardedAgents(
  policy: AddressPolicy,
  { lookup = dns.lookup }: GuardedAgentOptions = {},
): GuardedAgents {
  const checkedLookup = guardLookup(policy, lookup)
  return {
    http: guard(new http.Agent({ keepAlive: false }), policy, checkedLookup),
    https: guard(new https.Agent({ keepAlive: false }), policy, checkedLookup),
  }
}

function guard<A extends http.Agent>(
  agent: A,
  policy: AddressPolicy,
  lookup: net.LookupFunction,
): A {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, onCreate) => {
    // Node connects to an address without asking `lookup`.
    const host = options.host ?? ''
    const allowed = net.isIP(host) === 0 ? policy.allowsName(host) : policy.allowsAddress(host)
    if (allowed) return connect({ ...options, lookup }, onCreate)
    onCreate?.(new AddressRefusedError(), new net.Socket())
    return undefined
  }
  return agent
}

function guardLookup(policy: AddressPolicy, lookup: net.LookupFunction): net.LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family)
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address)
      if (addresses.every((address) => policy.allowsAddress(address))) {
        return callback(null, found, family)
      }
      callback(new AddressRefusedError(), found, family)
    })
  }
}
