import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const pidFilePath = (dataDir: string) => path.join(dataDir, 'server.pid')

/** Writes the pid of this server, for commands that send it a signal. */
export async function writePidFile(dataDir: string): Promise<void> {
  await writeFile(pidFilePath(dataDir), `${process.pid}\n`)
}

export async function removePidFile(dataDir: string): Promise<void> {
  await rm(pidFilePath(dataDir), { force: true })
}

/** Pid of the server that uses `dataDir`; undefined if none is running. */
export async function findServerPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(pidFilePath(dataDir), 'utf8').catch(() => undefined)
  const pid = Number(text)
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  try {
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}
