import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { productsSaturate } from '../../inference/encoder/saturating-products.js'
import type { BioReading, PhotoAnalysis, VisionMethods } from '../../inference/encoder/vision.js'
import type { VisionSettings } from '../../inference/encoder/vision-settings.js'
import { createWorkerEngines } from '../../inference/engines/kserve/worker-engines.js'
import { startWorker } from '../../inference/workers/start-worker.js'
import type { WorkerProcess } from '../../inference/workers/worker-process.js'
import { openPack } from '../../packs/open-pack.js'
import { createLog } from '../../telemetry/log.js'
import { PROJECT_FOLDER } from '../project-folder.js'

/**
 * Compares the vision models on a real Triton Inference Server with those in the worker process: embeddings, scores, verdicts, throughput.
 * Triton comes from the wheel of PyTriton (pip, 1 minute the first time); ONNX Runtime runs below its Python backend. `--half` declares half
 * floats for photos. Exits with 1 when the two disagree. Linux on x64 with Python 3.9 to 3.13.
 */

const PORT = 9_917
const THREADS = 2
const ROUNDS = 6
const CALLERS = 4
const START_LIMIT_MS = 60_000
const isHalf = process.argv.includes('--half')
/**
 * Other versions of ONNX Runtime round products of 8 bits elsewhere: logits of a pair were seen to move by 0.014.
 */
const MAX_LOGIT_DIFFERENCE = 0.05
const MAX_NSFW_DIFFERENCE = 0.001
/** Cosine of embeddings that agree. */
const MIN_COSINE = isHalf ? 0.9995 : 0.9999

const BIOS = [
  'I love hiking and my dog.',
  'Send me money first, then we meet.',
  'I sell drugs, write me.',
  'Looking for someone who laughs at bad puns.',
]
const PAIRS: [string, string][] = [
  ['I love hiking and dogs.', 'Weekend hikes with my dog.'],
  ['Party all night.', 'Quiet reader who sleeps early.'],
]
const TEXTS = ['a photo of a cat', 'hiking in the mountains', 'a cup of coffee with friends']

const VERSION = 'import sys; print("%d.%d" % sys.version_info[:2])'
const LIBRARIES = 'import sysconfig; print(sysconfig.get_config_var("LIBDIR"))'

type Worker = WorkerProcess<VisionMethods>

const sources = path.join(PROJECT_FOLDER, 'src', 'tools', 'checks', 'vision-engines')
const packages = path.join(PROJECT_FOLDER, '.cache', 'vision-engines')
const log = createLog({ level: 'warn', format: 'pretty' })

install()
const settings = await readSettings()
const folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-triton-'))
const triton = await startTriton()
try {
  await waitForTriton()
  process.exitCode = (await compare()) ? 0 : 1
} finally {
  triton.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

function install(): void {
  const requirements = path.join(sources, 'requirements.txt')
  const installed = path.join(packages, 'requirements.txt')
  const versions = readFileSync(requirements, 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === versions) return
  console.error('▸ Installing Triton …')
  rmSync(packages, { recursive: true, force: true })
  const pip = ['-m', 'pip', 'install', '--quiet', '--target', packages, '-r', requirements]
  execFileSync('python3', pip, { stdio: 'inherit' })
  writeFileSync(installed, versions)
}

async function readSettings(): Promise<VisionSettings> {
  const config = { modelsDir: path.join(PROJECT_FOLDER, 'models') }
  return {
    clip: await openPack(config, 'clip-lite', 'clip'),
    photoSafety: await openPack(config, 'open-nsfw', 'photo-safety'),
    bioSafety: await openPack(config, 'bio-safety-e5-small', 'bio-safety'),
    match: await openPack(config, 'match-minilm', 'match'),
    threads: THREADS,
    device: 'cpu',
  }
}

async function startTriton() {
  const { clip, photoSafety, bioSafety, match } = settings
  const unsigned = (await productsSaturate()) ? '1' : '0'
  const model = (name: string, file: string, pack_revision: string, half = false) => ({
    name,
    file,
    half,
    parameters: { pack_revision, threads: String(THREADS), unsigned_weights: unsigned },
  })
  const models = [
    model(`${clip.name}-vision`, clip.clip.vision.model, clip.revision, isHalf),
    model(`${clip.name}-text`, clip.clip.text.model, clip.revision),
    model(photoSafety.name, photoSafety.photoSafety.model, photoSafety.revision, isHalf),
    model(bioSafety.name, bioSafety.bioSafety.text.model, bioSafety.revision),
    model(match.name, match.match.text.model, match.revision),
  ]
  const repository = path.join(folder, 'models')
  mkdirSync(repository)
  execFileSync('python3', [path.join(sources, 'repository.py'), repository], {
    input: JSON.stringify(models),
    env: { ...process.env, PYTHONPATH: packages },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const server = path.join(packages, 'pytriton', 'tritonserver')
  const backends = path.join(folder, 'backends')
  cpSync(path.join(server, 'backends'), backends, { recursive: true })
  const version = execFileSync('python3', ['-c', VERSION], { encoding: 'utf8' }).trim()
  const stubs = path.join(server, 'python_backend_stubs', version)
  for (const file of readdirSync(stubs)) {
    cpSync(path.join(stubs, file), path.join(backends, 'python', file))
  }
  const libraries = execFileSync('python3', ['-c', LIBRARIES], { encoding: 'utf8' }).trim()
  const args = ['--model-repository', repository, '--backend-directory', backends]
  args.push('--http-address', '127.0.0.1', '--http-port', String(PORT))
  args.push('--allow-grpc', 'false', '--allow-metrics', 'false')
  return spawn(path.join(server, 'bin', 'tritonserver'), args, {
    env: {
      ...process.env,
      LD_LIBRARY_PATH: `${path.join(packages, 'nvidia_pytriton.libs')}:${libraries}`,
    },
    stdio: ['ignore', 'ignore', process.env.CI ? 'inherit' : 'ignore'],
  })
}

async function waitForTriton(): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline && triton.exitCode === null) {
    const ready = await fetch(`http://127.0.0.1:${PORT}/v2/health/ready`).catch(() => undefined)
    if (ready?.status === 200) return
    await sleep(200)
  }
  throw new Error('Triton does not start')
}

async function compare(): Promise<boolean> {
  const urls = [`http://127.0.0.1:${PORT}`]
  const engines = createWorkerEngines({ urls, apiKey: undefined, concurrency: 16, log })
  const here: Worker = await startWorker('vision', settings, { log, environment: {} })
  const startedAt = performance.now()
  const there: Worker = await startWorker(
    'vision',
    { ...settings, engines: { concurrency: 16 } },
    { log, environment: {}, openAnswerer: engines.openAnswerer },
  )
  console.log(`verified in ${Math.round(performance.now() - startedAt)} ms`)
  const photos = readPhotos()
  const ours = await analyze(here, photos)
  const theirs = await analyze(there, photos)
  const cosines = ours.map(({ embedding }, i) => cosine(embedding, theirs[i]!.embedding))
  const nsfw = ours.map((photo, i) => Math.abs(photo.nsfw - theirs[i]!.nsfw))
  const ourTexts = await here.call('embedTexts', { texts: TEXTS })
  const theirTexts = await there.call('embedTexts', { texts: TEXTS })
  const texts = ourTexts.map((embedding, i) => cosine(embedding, theirTexts[i]!))
  const ourScores = await here.call('scorePairs', { pairs: PAIRS })
  const theirScores = await there.call('scorePairs', { pairs: PAIRS })
  const pairs = ourScores.map((score, i) =>
    Math.abs(score.compatibility - theirScores[i]!.compatibility),
  )
  let sameVerdicts = 0
  for (const bio of BIOS) {
    const request: { readings: BioReading[] } = { readings: [[bio]] }
    const [one, other] = [
      await here.call('classifyBio', request),
      await there.call('classifyBio', request),
    ]
    if (JSON.stringify(one) === JSON.stringify(other)) sameVerdicts += 1
  }
  console.log(`photos: least cosine ${Math.min(...cosines)}, NSFW differs by ${Math.max(...nsfw)}`)
  console.log(`texts: least cosine ${Math.min(...texts)}`)
  console.log(`pairs: logits differ by ${Math.max(...pairs)}`)
  console.log(`bios: ${sameVerdicts} of ${BIOS.length} verdicts are the same`)
  for (const [place, worker] of [
    ['worker process', here],
    ['Triton', there],
  ] as const) {
    await measure(place, worker, photos)
  }
  await Promise.all([here.drain(), there.drain()])
  const isSame =
    Math.min(...cosines, ...texts) >= MIN_COSINE &&
    Math.max(...nsfw) <= MAX_NSFW_DIFFERENCE &&
    Math.max(...pairs) <= MAX_LOGIT_DIFFERENCE
  return isSame && sameVerdicts === BIOS.length
}

async function measure(place: string, worker: Worker, photos: Buffer[]): Promise<void> {
  await inParallel(() => worker.call('analyzePhotos', { photos }), 1)
  const before = process.cpuUsage()
  const photoMs = await inParallel(() => worker.call('analyzePhotos', { photos }), ROUNDS)
  const { user, system } = process.cpuUsage(before)
  const textMs = await inParallel(() => worker.call('embedTexts', { texts: TEXTS }), ROUNDS)
  const pairMs = await inParallel(() => worker.call('scorePairs', { pairs: PAIRS }), ROUNDS)
  const rate = (items: number, ms: number) => ((ROUNDS * CALLERS * items * 1_000) / ms).toFixed(1)
  const cpuMs = (user + system) / 1_000 / (ROUNDS * CALLERS * photos.length)
  console.log(
    `${place}: ${rate(photos.length, photoMs)} photos/s (${cpuMs.toFixed(2)} ms of the server process each), ` +
      `${rate(TEXTS.length, textMs)} texts/s, ${rate(PAIRS.length, pairMs)} pairs/s`,
  )
}

/** Returns the milliseconds that all calls took. */
async function inParallel(call: () => Promise<unknown>, rounds: number): Promise<number> {
  const startedAt = performance.now()
  const caller = async () => {
    for (let round = 0; round < rounds; round++) await call()
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return performance.now() - startedAt
}

async function analyze(worker: Worker, photos: Buffer[]): Promise<PhotoAnalysis[]> {
  const outcomes = await worker.call('analyzePhotos', { photos })
  return outcomes.flatMap((outcome) => (outcome.ok ? [outcome.analysis] : []))
}

function readPhotos(): Buffer[] {
  const examples = path.join(PROJECT_FOLDER, 'examples', 'photos')
  const names = readdirSync(examples).filter((name) => name.endsWith('.jpg'))
  return names.map((name) => readFileSync(path.join(examples, name)))
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, index) => sum + value * (y[index] as number), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
