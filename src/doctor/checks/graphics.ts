import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../../config/config.js'
import { failed, ok, warning, type Finding } from '../check.js'

export interface GraphicsFacts {
  /** One line for each GPU: name, driver, memory; undefined without a working driver. */
  gpus: string[] | undefined
  /** Whether ONNX Runtime's CUDA provider is installed. */
  hasCudaProvider: boolean
}

/** Whether the GPU that is configured, or that is there, can be used by both workers. */
export async function checkGraphics(
  { inference }: Pick<Config, 'inference'>,
  facts?: GraphicsFacts,
): Promise<Finding> {
  const { gpus, hasCudaProvider } = facts ?? (await readFacts())
  if (inference.device === 'cpu') return ok('not used: DEVICE is cpu')
  if (gpus === undefined || gpus.length === 0) {
    if (inference.device === 'auto') return ok('none: the models run on the processor')
    return failed(
      'DEVICE is gpu, and no NVIDIA driver answers',
      'Install the NVIDIA driver (nvidia-smi must list the GPU); in a container also give it the GPU: docker run --gpus all.',
    )
  }
  if (!hasCudaProvider) {
    return warning(
      `${gpus.join('; ')}, which photos cannot use: ONNX Runtime's CUDA provider is not installed`,
      'Build the image from Dockerfile.gpu, or install it with: node node_modules/onnxruntime-node/script/install.js --onnxruntime-node-install=cuda12',
    )
  }
  return ok(gpus.join('; '))
}

const QUERY = ['--query-gpu=name,driver_version,memory.total', '--format=csv,noheader']

async function readFacts(): Promise<GraphicsFacts> {
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
