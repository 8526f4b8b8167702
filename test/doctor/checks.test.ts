import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { readCgroupLimits } from '../../src/config/cgroup-limits.js'
import { readConfig, type Config } from '../../src/config/config.js'
import { openDatabase, UNFINISHED_RESTORE } from '../../src/database/open-database.js'
import { checkClock } from '../../src/doctor/checks/clock.js'
import { checkCores } from '../../src/doctor/checks/cores.js'
import { checkDatabase } from '../../src/doctor/checks/database.js'
import { checkDisk } from '../../src/doctor/checks/disk.js'
import { checkFolders } from '../../src/doctor/checks/folders.js'
import { checkGpu } from '../../src/doctor/checks/gpu.js'
import { checkIsolation } from '../../src/doctor/checks/isolation.js'
import { checkMemory } from '../../src/doctor/checks/memory.js'
import { checkModelFiles, checkModelLoading } from '../../src/doctor/checks/models.js'
import { checkNativeModules } from '../../src/doctor/checks/native-modules.js'
import { checkPlansFile } from '../../src/doctor/checks/plans-file.js'
import { checkPorts } from '../../src/doctor/checks/ports.js'
import { checkProcessor } from '../../src/doctor/checks/processor.js'
import { checkSecret } from '../../src/doctor/checks/server-secret.js'
import { openSecretOf } from '../../src/organizations/check-server-secret.js'
import { openServerSecret } from '../../src/organizations/server-secret.js'
import { trustClock } from '../../src/retention/trusted-clock.js'
import { writePidFile } from '../../src/server/pid-file.js'
import { countUsableCores } from '../../src/config/usable-cores.js'
import { startService } from '../http/_service.js'

let root: string
let dataDir: string

beforeEach(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'doctor-'))
  dataDir = path.join(root, 'data')
})
afterEach(() => fs.rm(root, { recursive: true }))

const configWith = (env: Record<string, string> = {}): Config =>
  readConfig({ ENV_FILE: '', DATA_DIR: dataDir, ...env })

async function createDatabase() {
  const db = await openDatabase(dataDir)
  await db.destroy()
  return path.join(dataDir, 'service.db')
}

describe('the doctor', () => {
  it('reports how workers are isolated, and fails when that is required and missing', async () => {
    const missing = { ownNetwork: true, filtered: false, reason: 'not available on sunos' }
    const required = configWith({ WORKER_ISOLATION: 'required' })
    expect((await checkIsolation(configWith())).status).toBe(
      process.platform === 'linux' ? 'ok' : 'warning',
    )
    expect(await checkIsolation(configWith(), missing)).toMatchObject({
      status: 'warning',
      found: 'network namespace, no system call filter: not available on sunos',
    })
    expect((await checkIsolation(required, missing)).status).toBe('failed')
    const off = await checkIsolation(configWith({ WORKER_ISOLATION: 'off' }))
    expect(off.status).toBe('warning')
  })

  it('detects a processor without the instructions that native modules need', () => {
    const cpuInfo = (flags: string) => `model name\t: Some\nflags\t\t: ${flags}\n`
    const check = (flags: string) => checkProcessor({ arch: 'x64', cpuInfo: cpuInfo(flags) }).status
    expect(check('fpu sse2')).toBe('failed')
    expect(check('fpu sse4_2 popcnt')).toBe('warning')
    expect(check('fpu sse4_2 popcnt avx2 fma')).toBe('ok')
    expect(checkProcessor({ arch: 'riscv64', cpuInfo: undefined }).status).toBe('failed')
    expect(checkProcessor().status).toBe('ok')
  })

  it('detects more threads than a CPU limit has cores for', () => {
    const config = { inference: { ...configWith().inference, visionThreads: 4 } }
    expect(checkCores(config, { cores: 4, quota: 1.5 })).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('VISION_THREADS=1'),
    })
    expect(checkCores(config, { cores: 4, quota: 4 }).status).toBe('ok')
  })

  it('counts the cores within a CPU limit', () => {
    expect(countUsableCores({ cores: 8, quota: undefined })).toBe(8)
    expect(countUsableCores({ cores: 8, quota: 2.5 })).toBe(2)
    expect(countUsableCores({ cores: 8, quota: 0.5 })).toBe(1)
    expect(countUsableCores({ cores: 2, quota: 16 })).toBe(2)
  })

  it('reads the limits of a control group and its parents', async () => {
    const group = path.join(root, 'cgroup', 'service')
    await fs.mkdir(group, { recursive: true })
    const self = path.join(root, 'self')
    await fs.writeFile(self, '0::/service\n')
    await fs.writeFile(path.join(group, 'cpu.max'), 'max 100000\n')
    await fs.writeFile(path.join(root, 'cgroup', 'cpu.max'), '150000 100000\n')
    await fs.writeFile(path.join(group, 'memory.max'), '1000000\n')
    const limits = readCgroupLimits(path.join(root, 'cgroup'), self)
    expect(limits).toEqual({ cores: 1.5, memoryBytes: 1_000_000 })
  })

  it('detects too little memory for the models, or for swapping them', async () => {
    const status = async (totalBytes: number) =>
      (await checkMemory(configWith(), { totalBytes, modelBytes: 4e9 })).status
    expect([await status(4e9), await status(6e9), await status(10e9)]).toEqual([
      'failed',
      'warning',
      'ok',
    ])
    expect((await checkMemory(configWith())).status).not.toBe('failed')
  })

  it('counts only the merged file of a language pack', async () => {
    const { found } = await checkMemory(configWith())
    // The default packs have 379 MB, of which model and adapter (109 MB) are not loaded.
    expect(found).toContain('about 1.6 GB needed')
  })

  it('counts neither threads nor memory of a language worker that engines replace', async () => {
    const engines = { LANGUAGE_URL: 'http://engine', LANGUAGE_ENGINE: 'llama-server' }
    const config = configWith({ ...engines, VISION_THREADS: '1' })
    expect(checkCores(config, { cores: 2, quota: 2 }).found).toContain('1 threads per worker')
    const { found } = await checkMemory(config)
    expect(found).toContain('about 972 MB needed')
  })

  it('counts nothing of models that run elsewhere', async () => {
    const engines = { LANGUAGE_URL: 'http://engine', LANGUAGE_ENGINE: 'llama-server' }
    const workers = { VISION_URL: 'http://worker', VISION_PROTOCOL: 'worker' }
    const elsewhere = configWith({ ...engines, ...workers })
    const limits = { cores: 1, quota: 1 }
    expect(checkCores(elsewhere, { cores: 2, quota: 2 })).toEqual({
      status: 'ok',
      found: '2 cores; the models run elsewhere',
    })
    const { inference } = configWith(workers)
    expect(checkCores({ inference: { ...inference, languageThreads: 2 } }, limits)).toMatchObject({
      fix: 'Set LANGUAGE_THREADS=1, or allow more cores.',
    })
    const decoding = configWith({ ...engines, VISION_URL: 'http://triton' })
    const visionThreads = { ...decoding.inference, visionThreads: 2 }
    expect(checkCores({ inference: visionThreads }, limits)).toMatchObject({
      fix: 'Set VISION_THREADS=1, or allow more cores.',
    })
    expect((await checkMemory(elsewhere)).found).toContain('about 450 MB needed')
    const facts = { gpus: ['NVIDIA H100'], hasCudaProvider: false }
    expect((await checkGpu(elsewhere, { ...facts, gpus: undefined })).status).toBe('ok')
    expect((await checkGpu(configWith(workers), facts)).status).toBe('ok')
  })

  it('points at the engines when models cannot be loaded', async () => {
    const engines = { LANGUAGE_URL: 'http://127.0.0.1:1', LANGUAGE_ENGINE: 'llama-server' }
    const missing = { LLM_PACK: 'no-such-pack', CLIP_PACK: 'no-such-pack' }
    expect(await checkModelLoading(configWith({ ...engines, ...missing }))).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('LANGUAGE_URL'),
    })
  })

  it('detects that the configured GPU cannot be used', async () => {
    const check = async (device: 'auto' | 'gpu', gpus: string[] | undefined, provider: boolean) => {
      const config = { inference: { ...configWith().inference, device } }
      return (await checkGpu(config, { gpus, hasCudaProvider: provider })).status
    }
    expect(await check('gpu', undefined, true)).toBe('failed')
    expect(await check('auto', undefined, true)).toBe('ok')
    expect(await check('auto', ['NVIDIA H100'], false)).toBe('warning')
    expect(await check('gpu', ['NVIDIA H100'], true)).toBe('ok')
    expect((await checkGpu(configWith())).status).toBe('ok')
  })

  it('detects native modules that do not load, and survives one that crashes its process', async () => {
    expect((await checkNativeModules()).status).toBe('ok')
    const illegal = `data:text/javascript,process.kill(process.pid, 'SIGILL')`
    const finding = await checkNativeModules(['no-such-module', illegal])
    expect(finding.status).toBe('failed')
    expect(finding.found).toContain('no-such-module')
    expect(finding.found).toContain('instructions that this processor lacks')
  }, 60_000)

  it('detects a data folder that is not writable', async () => {
    const { modelsDir } = configWith()
    expect((await checkFolders({ dataDir, modelsDir })).status).toBe('ok')
    // Not even root can write there.
    expect((await checkFolders({ dataDir: '/proc/data', modelsDir })).status).toBe('failed')
    const missing = path.join(root, 'no-models')
    expect((await checkFolders({ dataDir, modelsDir: missing })).status).toBe('failed')
  })

  it('detects a database on a network share, and a full disk', async () => {
    const check = async (facts?: { type: number; freeBytes: number }) =>
      (await checkDisk({ dataDir }, facts)).status
    expect(await check({ type: 0x6969, freeBytes: 1e12 })).toBe('failed')
    expect(await check({ type: 0xef53, freeBytes: 1e6 })).toBe('failed')
    expect(await check({ type: 0xef53, freeBytes: 1e9 })).toBe('warning')
    expect(await check()).not.toBe('failed')
  })

  it('detects a damaged database, a newer version and an interrupted restore', async () => {
    const found = async () => (await checkDatabase(configWith())).found
    expect((await checkDatabase(configWith())).status).toBe('ok')
    const file = await createDatabase()
    expect(await checkDatabase(configWith())).toEqual({ status: 'ok', found: 'sound' })
    const sqlite = new BetterSqlite3(file)
    sqlite.exec(`insert into kysely_migration values ('999-later', '2030')`)
    sqlite.close()
    expect(await found()).toContain('999-later')
    const content = await fs.readFile(file)
    await fs.writeFile(file, content.fill(0x5a, content.length / 2, content.length / 2 + 20_000))
    expect(await found()).toContain('damaged')
    await fs.writeFile(path.join(dataDir, UNFINISHED_RESTORE), '')
    expect(await found()).toContain('restore')
  })

  it.each(['deleted', 'emptied'])(
    'detects a database that was %s beside the files of an installation',
    async (how) => {
      const file = await createDatabase()
      await openServerSecret(dataDir)
      await (how === 'deleted' ? fs.rm(file) : fs.truncate(file))
      const finding = await checkDatabase(configWith())
      expect(finding).toMatchObject({
        status: 'failed',
        fix: expect.stringMatching(/server-secret.*restore.*start-anew/),
      })
    },
  )

  it('detects an empty folder in place of a volume, if a database is required', async () => {
    expect((await checkDatabase(configWith({ REQUIRE_DATABASE: 'true' }))).status).toBe('failed')
  })

  it('does not call a locked database damaged', async () => {
    const lock = new BetterSqlite3(await createDatabase())
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive')
    try {
      const finding = await checkDatabase(configWith())
      expect(finding).toMatchObject({ status: 'failed', fix: expect.stringContaining('a lock') })
      expect(finding.found).not.toContain('damaged')
    } finally {
      lock.close()
    }
  }, 20_000)

  it('detects a server secret that is missing, open to others, or of another database', async () => {
    const check = async () => checkSecret({ dataDir })
    expect((await check()).status).toBe('ok')
    await createDatabase()
    expect((await check()).found).toContain('missing')
    const db = await openDatabase(dataDir)
    await openSecretOf(db, { dataDir })
    await db.destroy()
    expect(await check()).toEqual({ status: 'ok', found: 'belongs to the database' })
    const file = path.join(dataDir, 'server-secret')
    await fs.chmod(file, 0o644)
    expect(await check()).toMatchObject({ status: 'failed', fix: expect.stringContaining('chmod') })
    await fs.writeFile(file, Buffer.alloc(32))
    await fs.chmod(file, 0o600)
    expect((await check()).found).toContain('another one')
  })

  it('detects plans that are unreadable or lack one in use', async () => {
    const file = path.join(root, 'plans.json')
    const config = { dataDir, plansFile: file }
    await fs.writeFile(file, '{')
    expect((await checkPlansFile(config)).status).toBe('failed')
    const sqlite = new BetterSqlite3(await createDatabase())
    sqlite.exec(`insert into organizations values ('org_1', 'Acme', 'bespoke', 0)`)
    sqlite.close()
    expect((await checkPlansFile({ dataDir, plansFile: undefined })).status).toBe('ok')
    await fs.writeFile(path.join(dataDir, 'plans.json'), '{"plans":{}}')
    expect((await checkPlansFile({ dataDir, plansFile: undefined })).found).toContain('bespoke')
  })

  it('detects a clock that was set back', async () => {
    const now = Date.UTC(2026, 6, 15)
    expect((await checkClock({ dataDir }, now)).status).toBe('ok')
    expect((await checkClock({ dataDir }, 0)).status).toBe('failed')
    const sqlite = new BetterSqlite3(await createDatabase())
    sqlite.exec(`insert into audit_log values (1, ${now + 3_600_000}, 'a', 'b', 'c', 'd', '{}')`)
    sqlite.close()
    expect((await checkClock({ dataDir }, now)).status).toBe('failed')
  })

  it('detects a clock that is far ahead of the last run', async () => {
    const now = Date.UTC(2026, 6, 15)
    await createDatabase()
    const db = await openDatabase(dataDir)
    await trustClock(db, now)
    await db.destroy()
    const day = 24 * 3_600_000
    expect((await checkClock({ dataDir }, now + 6 * day)).status).toBe('ok')
    expect(await checkClock({ dataDir }, now + 400 * day)).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('--trust-clock'),
    })
  })

  it('distinguishes ports of another program from those of the running service', async () => {
    const otherProgram = net.createServer().listen(0, '127.0.0.1')
    const service = await startService()
    try {
      const taken = (otherProgram.address() as net.AddressInfo).port
      expect((await checkPorts(configWith({ PORT: String(taken) }))).status).toBe('failed')
      const held = configWith({
        PORT: new URL(service.baseUrl).port,
        DATA_DIR: service.context.config.dataDir,
      })
      expect((await checkPorts(held)).status).toBe('failed')
      await writePidFile(held.dataDir)
      expect((await checkPorts(held)).found).toContain('held by the running service')
      expect((await checkPorts(configWith({ HOST: '192.0.2.1' }))).status).toBe('failed')
    } finally {
      otherProgram.close()
      await service.close()
    }
  })

  it('detects missing and changed model files', async () => {
    const modelsDir = path.join(root, 'models')
    await fs.cp('models/clip-lite', path.join(modelsDir, 'clip-lite'), { recursive: true })
    const { packs } = configWith()
    const check = () => checkModelFiles({ modelsDir, packs })
    expect((await check()).found).toContain(packs.llm)
    await fs.appendFile(path.join(modelsDir, 'clip-lite', 'tokenizer.json'), ' ')
    expect((await check()).found).toContain('tokenizer.json')
    expect((await checkModelLoading(configWith({ MODELS_DIR: modelsDir }))).status).toBe('failed')
  }, 60_000)
})
