import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'

/** A network namespace from which packets reach only what was allowed; Linux counts what it drops there. */
export interface GuardedNetwork {
  /** Runs a program in it. */
  wrapper: string[]
  /** Where programs in it listen for this machine. */
  address: string
  /**
   * Lets a server of this machine be reached from within.
   * @param port - of the loopback interface
   */
  allow(port: number): Promise<AllowedServer>
  /** Packets that were meant for anything else so far. */
  dropped(): number
  close(): Promise<void>
}

export interface AllowedServer {
  /** Host and port from within. */
  host: string
  /** Connections so far. */
  connections(): number
}

/** Why such a namespace cannot be had here; undefined when it can. */
export function whyNoGuardedNetwork(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root'
  for (const program of ['ip', 'nft', 'nsenter', 'unshare']) {
    if (spawnSync(program, ['--version']).error) return `needs the program ${program}`
  }
  const rules =
    'table inet t { chain c { type filter hook output priority 0; ct state established accept; }; }'
  const name = `pistest${process.pid}`
  const attempt = spawnSync('unshare', [
    '--net',
    'sh',
    '-c',
    `ip link add ${name} type veth peer name peer && nft '${rules}'`,
  ])
  return attempt.status === 0 ? undefined : 'this machine allows no network namespaces or filters'
}

/** Both ends get an address that is reserved for tests of networks (RFC 2544). */
export async function openGuardedNetwork(): Promise<GuardedNetwork> {
  const subnet = `198.18.${process.pid % 256}`
  const [outside, inside] = [`${subnet}.1`, `${subnet}.2`]
  const link = `pis${process.pid}`
  // The namespace lives as long as this process, and its link with it.
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(holder.stdout, 'data')
  const option = `--net=/proc/${holder.pid}/ns/net`
  const within = (...command: string[]) => run('nsenter', option, ...command)
  const servers: net.Server[] = []

  run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'out', 'netns', `${holder.pid}`)
  run('ip', 'address', 'add', `${outside}/30`, 'dev', link)
  run('ip', 'link', 'set', link, 'up')
  within('ip', 'address', 'add', `${inside}/30`, 'dev', 'out')
  within('ip', 'address', 'add', 'fd00:198:18::2/64', 'dev', 'out', 'nodad')
  within('ip', 'link', 'set', 'lo', 'up')
  within('ip', 'link', 'set', 'out', 'up')
  // With a way out, attempts become packets.
  within('ip', 'route', 'add', 'default', 'via', outside)
  within('ip', '-6', 'route', 'add', 'default', 'via', 'fd00:198:18::1')
  within(
    'nft',
    `table inet guard {
      set allowed { type inet_service; }
      chain output {
        type filter hook output priority 0; policy drop;
        ct state established accept
        ip daddr ${outside} tcp dport @allowed accept
        meta l4proto ipv6-icmp drop comment "the system looks for neighbours"
        counter drop
      }
    }`,
  )
  return {
    wrapper: ['nsenter', option],
    address: inside,
    allow: async (port) => {
      let connections = 0
      const server = net.createServer((client) => {
        connections += 1
        forward(client, net.connect(port, '127.0.0.1'))
      })
      server.listen(0, outside)
      await once(server, 'listening')
      servers.push(server)
      const { port: taken } = server.address() as net.AddressInfo
      within('nft', 'add', 'element', 'inet', 'guard', 'allowed', `{ ${taken} }`)
      return { host: `${outside}:${taken}`, connections: () => connections }
    },
    dropped: () => {
      const rules = within('nft', 'list', 'chain', 'inet', 'guard', 'output')
      return Number(/counter packets (?<count>\d+)/.exec(rules)!.groups!.count)
    },
    close: async () => {
      for (const server of servers) server.close()
      const ended = once(holder, 'exit')
      holder.kill('SIGKILL')
      await ended
    },
  }
}

function forward(client: net.Socket, server: net.Socket): void {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy())
  }
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
}
