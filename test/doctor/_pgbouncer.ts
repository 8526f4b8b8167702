import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../system/_server-process.js'

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

/** Starts PgBouncer before a PostgreSQL server that trusts every client. */
export async function startPgBouncer(target: string, mode: 'transaction' | 'session') {
  const { hostname, port, username, pathname } = new URL(target)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'test-pgbouncer-'))
  const listenPort = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
    ].join('\n'),
  )
  const user = await unprivilegedUser(folder)
  const child = spawn('pgbouncer', [file], { ...user, cwd: folder, stdio: 'ignore' })
  while (!(await accepts(listenPort))) {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start.')
  }
  return {
    url: `postgres://${username}@127.0.0.1:${listenPort}${pathname}`,
    stop: async () => {
      const ended = once(child, 'exit')
      // It has no state, and other signals wait for its clients.
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

/** PgBouncer refuses to run as root. */
async function unprivilegedUser(folder: string) {
  if (process.getuid?.() !== 0) return {}
  const id = (option: string) =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout)
  const user = { uid: id('-u'), gid: id('-g') }
  await chown(folder, user.uid, user.gid)
  return user
}

async function accepts(port: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => socket.destroy()).once('close', (failed) => resolve(!failed))
    socket.once('error', () => {})
  })
}
