import dns, { type LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { isLocalName } from './address-policy.js'

/** A name server that does not answer is asked twice, which together takes less than the photos of a call may. */
const TRIES = 2
const TIMEOUT_MS = 2_000
const HOSTS_FILE = '/etc/hosts'

export interface LookupOptions {
  /** Addresses of name servers. Default: those of the system. */
  servers?: readonly string[]
}

/**
 * Creates a lookup that asks the name servers itself. The system's resolver runs on two threads that all requests share, and cannot be
 * stopped: a dozen names whose servers never answer would hold up everybody's photos. It is used only for the operator's own names,
 * those of the hosts file and of the local network.
 */
export function createNameLookup({ servers }: LookupOptions = {}): LookupFunction {
  const resolve = async (name: string): Promise<LookupAddress[]> => {
    if (isLocalName(name) || (await isInHostsFile(name))) {
      return dns.promises.lookup(name, { all: true })
    }
    return askServers(name, servers)
  }
  const findWanted = async (name: string, family: number | string | undefined) => {
    const wanted = (await resolve(name)).filter((address) => isWanted(address, family))
    const [first] = wanted
    if (!first) throw notFound()
    return { first, wanted }
  }
  const answer = async (...[name, { all, family }, callback]: Parameters<LookupFunction>) => {
    const outcome = await findWanted(name, family).catch((error: NodeJS.ErrnoException) => error)
    if (!('wanted' in outcome)) callback(outcome, [])
    else if (all) callback(null, outcome.wanted)
    else callback(null, outcome.first.address, outcome.first.family)
  }
  return (...call) => void answer(...call)
}

async function askServers(
  name: string,
  servers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  // One for each lookup, so that a change of the system's name servers applies at once.
  const resolver = new dns.promises.Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [
    ...addressesOf(v4).map((address) => ({ address, family: 4 })),
    ...addressesOf(v6).map((address) => ({ address, family: 6 })),
  ]
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason
  return found
}

function addressesOf(outcome: PromiseSettledResult<string[]>): readonly string[] {
  return outcome.status === 'fulfilled' ? outcome.value : []
}

async function isInHostsFile(name: string): Promise<boolean> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '')
  const wanted = name.replace(/\.$/, '').toLowerCase()
  return text
    .toLowerCase()
    .split('\n')
    .some((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1).includes(wanted))
}

function isWanted({ family }: LookupAddress, wanted: number | string | undefined): boolean {
  if (wanted === 4 || wanted === 'IPv4') return family === 4
  if (wanted === 6 || wanted === 'IPv6') return family === 6
  return true
}

function notFound(): NodeJS.ErrnoException {
  return Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' })
}
