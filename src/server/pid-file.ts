import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const fileOf = (dataDir: string) => path.join(dataDir, 'server.pid')

/** Notes the process that serves from `dataDir`, for commands that send it a signal. */
export async function writePidFile(dataDir: string): Promise<void> {
  await writeFile(fileOf(dataDir), `${process.pid}\n`)
}

export async function removePidFile(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true })
}

/** The process that serves from `dataDir`; undefined when there is none. */
export async function findServingPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => undefined)
  const pid = Number(text)
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  try {
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}
