import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { assertIsolationPossible } from '../../../src/inference/workers/isolation/probe-isolation.js'
import type { IsolationMode } from '../../../src/inference/workers/isolation/worker-isolation.js'
import type { WorkerProcess } from '../../../src/inference/workers/worker-process.js'
import { startFixtureWorker, type FixtureMethods } from './_fixture-host.js'

type Worker = WorkerProcess<FixtureMethods>

// Elsewhere the platform gives less, which the service reports; see docs/operating.md.
const onLinux = process.platform === 'linux' ? describe : describe.skip

onLinux('an isolated worker', () => {
  let folder: string
  let worker: Worker

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'isolation-'))
    worker = await startFixtureWorker()
  })
  afterAll(async () => {
    worker.kill()
    await worker.exited
    await rm(folder, { recursive: true })
  })

  it('reports what keeps it from network and files', () => {
    expect(worker.info.isolation).toMatchObject({ filtered: true })
    expect(worker.info.isolation.reason).toBeUndefined()
  })

  it('can neither connect to a port of this machine nor listen', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const open = await startFixtureWorker({}, { isolation: 'off' })

    const address = { host: '127.0.0.1', port }
    const outcomes = [await open.call('connect', address), await worker.call('connect', address)]
    open.kill()
    await open.exited
    server.close()

    expect(outcomes).toEqual(['done', 'EPERM'])
    expect(await worker.call('listen', undefined)).toBe('EPERM')
  })

  it('cannot reach a local daemon through its socket file', async () => {
    const file = path.join(folder, 'daemon.sock')
    const server = net.createServer().listen(file)
    await new Promise((resolve) => server.once('listening', resolve))
    expect(await worker.call('connect', { path: file })).toBe('EPERM')
    server.close()
  })

  it('can neither create, change nor remove a file, and reads as before', async () => {
    const existing = path.join(folder, 'existing')
    await writeFile(existing, 'kept')

    expect(await worker.call('write', path.join(folder, 'new'))).toBe('EPERM')
    expect(await worker.call('write', existing)).toBe('EPERM')
    expect(await worker.call('remove', existing)).toBe('EPERM')

    expect(await worker.call('read', existing)).toBe('kept')
    expect(await readFile(existing, 'utf8')).toBe('kept')
  })

  it('can neither start a process nor signal one', async () => {
    expect(await worker.call('execute', '/bin/true')).toBe('EPERM')
    expect(await worker.call('signalProcess', process.pid)).toBe('EPERM')
    expect(await worker.call('signalProcess', worker.pid)).toBe('done')
  })

  /** Calls of the C library; 0 is the worker itself, or its standard input. */
  const RLIMIT_NOFILE = 7
  const CONTROL = 'int fcntl(int fd, int command, int value)'
  const DEVICE_CONTROL = 'int ioctl(int fd, ulong command, int value)'
  const LIMIT = 'int prlimit(int pid, int resource, ulong limits, ulong old)'

  it.each([
    ['limit what the server may do', LIMIT, [process.pid, RLIMIT_NOFILE, 0, 0]],
    ['lower its priority', 'int setpriority(int which, uint who, int value)', [0, process.pid, 19]],
    [
      'give it other processors',
      'int sched_setaffinity(int pid, ulong size, ulong mask)',
      [process.pid, 8, 0],
    ],
    ['make a descriptor signal it', CONTROL, [0, 8, process.pid]],
    ['choose the signal of a descriptor', CONTROL, [0, 10, 9]],
    ['make its channel signal it', DEVICE_CONTROL, [3, 0x8901, 0]],
    ['type into a terminal', DEVICE_CONTROL, [0, 0x5412, 0]],
    ['lock a file', 'int flock(int fd, int operation)', [0, 1]],
    ['lock a part of a file', CONTROL, [0, 6, 0]],
  ])('cannot %s', async (_what, declaration, values) => {
    expect(await worker.call('library', { declaration, values })).toBe('EPERM')
  })

  it('can still ask for its own limits and flags', async () => {
    const own = { declaration: LIMIT, values: [0, RLIMIT_NOFILE, 0, 0] }
    expect(await worker.call('library', own)).toBe('done')
    expect(await worker.call('library', { declaration: CONTROL, values: [0, 1, 0] })).toBe('done')
  })

  it('is held to it where it can have no network namespace of its own', async () => {
    const confined = await startFixtureWorker({}, { environment: { PATH: folder } })
    expect(confined.info.isolation).toMatchObject({ ownNetwork: false, filtered: true })
    expect(await confined.call('connect', { host: '127.0.0.1', port: 9 })).toBe('EPERM')
    confined.kill()
    await confined.exited
  })

  it('holds every thread to it, those that exist before and after', async () => {
    const seccomp = (status: string) => /^Seccomp:\s*(\d)/m.exec(status)?.[1]
    const tasks = `/proc/${worker.pid}/task`
    const modes = readdirSync(tasks).map((id) =>
      seccomp(readFileSync(`${tasks}/${id}/status`, 'utf8')),
    )
    expect(modes.length).toBeGreaterThan(4)
    expect(new Set(modes)).toEqual(new Set(['2']))
  })
})

onLinux('a worker with a limit of its data', () => {
  it('fails an allocation beyond it and serves on', async () => {
    const limit = async () => 800_000_000
    const worker = await startFixtureWorker({}, { dataLimitBytes: limit })
    expect(await worker.call('allocate', 600_000_000)).toBe('done')
    expect(await worker.call('allocate', 600_000_000)).not.toBe('done')
    expect(await worker.call('echo', 1)).toBe(1)
    worker.kill()
    await worker.exited
  })
})

describe('WORKER_ISOLATION', () => {
  it.each<IsolationMode>(['auto', 'off'])('lets the service start when it is %s', async (mode) => {
    await expect(assertIsolationPossible(mode)).resolves.toBeUndefined()
  })

  it('lets the service start when it is required and given', async () => {
    if (process.platform !== 'linux') return
    await expect(assertIsolationPossible('required')).resolves.toBeUndefined()
  })

  it('leaves a worker as it is when it is off', async () => {
    const worker = await startFixtureWorker({}, { isolation: 'off' })
    expect(worker.info.isolation).toMatchObject({ ownNetwork: false, filtered: false })
    expect(await worker.call('execute', '/bin/true')).toBe('done')
    worker.kill()
    await worker.exited
  })
})
