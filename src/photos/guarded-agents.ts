import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { AddressPolicy } from './address-policy.js'
import { createNameLookup } from './lookup-name.js'

/** The policy does not allow the name or address of a connection. */
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
  /** Resolves names. Default: `createNameLookup`. */
  lookup?: net.LookupFunction | undefined
}

/**
 * Creates agents that connect only to addresses the policy allows. All addresses of a name are checked in the lookup that the
 * socket connects with, which defeats DNS rebinding. Refused requests fail with `AddressRefusedError`.
 *
 * NOTE: sockets are not kept alive. A server may close a kept socket at any moment, which would fail a photo without retries,
 * and a new socket for each redirect guarantees the check.
 */
export function createGuardedAgents(
  policy: AddressPolicy,
  { lookup = createNameLookup() }: GuardedAgentOptions = {},
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
    // Node does not call `lookup` for a literal address.
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
