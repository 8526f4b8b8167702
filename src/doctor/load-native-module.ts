import process from 'node:process'

/** Entry point of a process that loads one module with its native part and exits with 0 on success. */
const loaders: Record<string, () => Promise<unknown>> = {
  'better-sqlite3': async () => new (await import('better-sqlite3')).default(':memory:').close(),
  'node-llama-cpp': async () =>
    (await import('node-llama-cpp')).getLlama({ build: 'never', gpu: false, skipDownload: true }),
}

const name = process.argv[2] ?? ''
await (loaders[name] ?? (() => import(name)))()
process.exit(0)
