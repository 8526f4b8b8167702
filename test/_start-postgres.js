import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

/** Where Linux keeps files in memory. */
const MEMORY_FOLDER = '/dev/shm'
/** The databases of a test run at one time, with room for twice as many; containers often have only 64 MiB there. */
const NEEDED_BYTES = 2 * 1024 ** 3

/**
 * Starts a PostgreSQL server for tests: on a free port of the loopback interface, in a folder that is deleted when it
 * stops. It syncs nothing, since nothing has to outlive the tests.
 */
export async function startPostgres() {
  const bin = findPrograms()
  const folder = mkdtempSync(path.join(parentFolder(), 'test-postgres-'))
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const init = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (init.status !== 0) throw new Error(`initdb failed: ${init.stderr}`)
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 300,
    shared_buffers: '64MB',
  }
  const log = openSync(path.join(folder, 'log'), 'w')
  const server = spawn(
    path.join(bin, 'postgres'),
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...user, cwd: folder, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  await waitUntilReady(bin, port)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** Has the files of the server, and its log. */
    folder,
    /** Folder of PostgreSQL's programs. */
    bin,
    /** Ends the server at once, with the connections that tests left open. */
    stop: async () => {
      const ended = once(server, 'exit')
      server.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In memory where that has room: each test copies a database of 9 MB, which takes a sixth of the time there. */
function parentFolder() {
  if (!existsSync(MEMORY_FOLDER)) return os.tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= NEEDED_BYTES ? MEMORY_FOLDER : os.tmpdir()
}

function findPrograms() {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root)
    ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a))
    : []
  const bin = versions
    .map((version) => path.join(root, version, 'bin'))
    .find((folder) => existsSync(path.join(folder, 'initdb')))
  if (bin) return bin
  throw new Error('PostgreSQL is not installed. On Debian: apt-get install postgresql')
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  const id = (/** @type {string} */ option) =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  server.close()
  return port
}

async function waitUntilReady(/** @type {string} */ bin, /** @type {number} */ port) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { status } = spawnSync(path.join(bin, 'pg_isready'), [
      '-q',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
    ])
    if (status === 0) return
    await delay(50)
  }
  throw new Error('PostgreSQL did not start within 10 s.')
}
