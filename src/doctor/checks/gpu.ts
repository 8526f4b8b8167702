import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../../config/config.js'
import { failed, ok, warning, type Finding } from '../check.js'

export interface GpuFacts {
  /** Name, driver and memory of each GPU; undefined without a working driver. */
  gpus: string[] | undefined
  /** Whether ONNX Runtime's CUDA provider is installed. */
  hasCudaProvider: boolean
}

/** Checks that both workers can use the GPU that is configured or present. */
export async function checkGpu(
  { inference }: Pick<Config, 'inference'>,
  facts?: GpuFacts,
): Promise<Finding> {
  const { gpus, hasCudaProvider } = facts ?? (await readFacts())
  if (inference.visionEngines && inference.languageEngines) {
    return ok('not needed: the models run elsewhere')
  }
  if (inference.device === 'cpu') return ok('not used, because DEVICE is cpu')
  if (gpus === undefined || gpus.length === 0) {
    if (inference.device === 'auto') return ok('none; the models run on the processor')
    return failed(
      'DEVICE is gpu, but no NVIDIA driver responds',
      'Install the NVIDIA driver, so that nvidia-smi lists the GPU. Start a container with: docker run --gpus all.',
    )
  }
  if (!hasCudaProvider && !inference.visionEngines) {
    return warning(
      `${gpus.join('; ')}, but not usable for photos: ONNX Runtime's CUDA provider is not installed`,
      'Build the image from Dockerfile.gpu, or install the provider: node node_modules/onnxruntime-node/script/install.js --onnxruntime-node-install=cuda12',
    )
  }
  return ok(gpus.join('; '))
}

const QUERY = ['--query-gpu=name,driver_version,memory.total', '--format=csv,noheader']

async function readFacts(): Promise<GpuFacts> {
  const answer = await promisify(execFile)('nvidia-smi', QUERY, { timeout: 10_000 }).catch(
    () => undefined,
  )
  return {
    gpus: answer?.stdout.split('\n').filter(Boolean),
    hasCudaProvider: existsSync(path.join(runtimeFolder(), 'libonnxruntime_providers_cuda.so')),
  }
}

function runtimeFolder(): string {
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node/package.json')
  return path.join(path.dirname(entry), 'bin/napi-v6', process.platform, process.arch)
}
