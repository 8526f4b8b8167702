import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { errorCode } from '../core/error-code.js'
import { packManifest, packName, type PackFile, type PackManifest } from './manifest.js'
import { PackError } from './pack-error.js'

const MANIFEST_FILE = 'pack.json'
const MANIFEST_LIMIT_BYTES = 1024 * 1024

/** A pack with a valid manifest; its files may be missing. */
export interface PackFolder {
  modelsDir: string
  folder: string
  manifest: PackManifest
}

/** A folder with a pack.json: the pack, or why its manifest cannot be read. */
export type PackListing = { name: string; pack: PackFolder } | { name: string; error: PackError }

/** Absolute path of a file of the pack. */
export function packFilePath(pack: PackFolder, file: Pick<PackFile, 'path'>): string {
  return path.join(pack.folder, file.path)
}

/** Unique name of a file across packs, used in models.lock.json and in the cache. */
export function packFileKey(pack: PackFolder, file: Pick<PackFile, 'path'>): string {
  return `${pack.manifest.name}/${file.path}`
}

/**
 * Reads and validates the manifest of a pack.
 * @throws PackError `unknown_pack`, `invalid_manifest`
 */
export async function resolvePack(modelsDir: string, name: string): Promise<PackFolder> {
  if (!packName.safeParse(name).success) throw await unknownPack(modelsDir, name)
  const folder = path.join(modelsDir, name)
  const text = await readManifestText(path.join(folder, MANIFEST_FILE))
  if (text === undefined) throw await unknownPack(modelsDir, name)
  return { modelsDir, folder, manifest: parseManifest(name, text) }
}

/**
 * Lists every folder in MODELS_DIR that has a pack.json, sorted by name.
 * @throws PackError `storage` if MODELS_DIR cannot be read
 */
export async function listPacks(modelsDir: string): Promise<PackListing[]> {
  const names = await packNames(modelsDir)
  return await Promise.all(
    names.map(async (name) => {
      try {
        return { name, pack: await resolvePack(modelsDir, name) }
      } catch (error) {
        if (error instanceof PackError) return { name, error }
        throw error
      }
    }),
  )
}

async function packNames(modelsDir: string): Promise<string[]> {
  const entries = await readdir(modelsDir).catch((error: unknown) => {
    throw new PackError(
      'storage',
      `The models folder ${modelsDir} cannot be read (${errorCode(error)}). Set MODELS_DIR to the folder with the model packs.`,
      { cause: error },
    )
  })
  const isPack = await Promise.all(
    entries.map(async (entry) => {
      const manifest = path.join(modelsDir, entry, MANIFEST_FILE)
      return (await stat(manifest).catch(() => undefined))?.isFile() ?? false
    }),
  )
  return entries.filter((_, index) => isPack[index]).sort()
}

async function unknownPack(modelsDir: string, name: string): Promise<PackError> {
  const known = await packNames(modelsDir)
  const hint = `Available packs: ${known.join(', ') || 'none'}.`
  return new PackError('unknown_pack', `There is no pack "${name}" in ${modelsDir}. ${hint}`)
}

async function readManifestText(file: string): Promise<string | undefined> {
  const handle = await open(file).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw new PackError('invalid_manifest', `${file} cannot be read (${errorCode(error)}).`, {
      cause: error,
    })
  })
  if (handle === undefined) return undefined
  try {
    if ((await handle.stat()).size > MANIFEST_LIMIT_BYTES) {
      throw new PackError('invalid_manifest', `${file} is larger than 1 MB.`)
    }
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

function parseManifest(name: string, text: string): PackManifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new PackError('invalid_manifest', `pack.json of "${name}" is not valid JSON.`, {
      cause: error,
    })
  }
  const parsed = packManifest.safeParse(json)
  if (!parsed.success) {
    throw new PackError(
      'invalid_manifest',
      `pack.json of "${name}" is invalid:\n${z.prettifyError(parsed.error)}`,
    )
  }
  if (parsed.data.name !== name) {
    throw new PackError(
      'invalid_manifest',
      `pack.json in the folder "${name}" has the name "${parsed.data.name}"; both must be the same.`,
    )
  }
  return parsed.data
}
