import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/config.js'
import type { BioSafetySection } from './bio-safety-section.js'
import { checkPack, packState, type FileCheck } from './check-pack.js'
import type { PackManifest, PackRole } from './manifest.js'
import type { MatchSection } from './match-section.js'
import { PackError } from './pack-error.js'
import { resolvePack, type PackFolder } from './pack-folder.js'
import type { ClipSection, LlmSection, PhotoSafetySection } from './role-sections.js'

interface VerifiedPack {
  name: string
  title: string
  folder: string
  /** 12 hex digits that change with any file and with the role section of pack.json. */
  revision: string
}

/** Packs are plain data, so that they can be sent to worker processes. */
export type ClipPack = VerifiedPack & { role: 'clip'; clip: ClipSection }
export type LlmPack = VerifiedPack & { role: 'llm'; llm: LlmSection }
export type PhotoSafetyPack = VerifiedPack & {
  role: 'photo-safety'
  photoSafety: PhotoSafetySection
}
export type BioSafetyPack = VerifiedPack & { role: 'bio-safety'; bioSafety: BioSafetySection }
export type MatchPack = VerifiedPack & { role: 'match'; match: MatchSection }
/** A pack whose files are all present and verified. Paths in its role section are absolute. */
export type Pack = ClipPack | LlmPack | PhotoSafetyPack | BioSafetyPack | MatchPack
export type PackOf<R extends PackRole> = Extract<Pack, { role: R }>

/**
 * Opens a pack for use, after hashing files that are new or have changed.
 * @param role - refuses a pack of another role
 * @throws PackError `unknown_pack`, `invalid_manifest`, `wrong_role`, `missing`, `corrupt`, `not_verified`
 */
export async function openPack<R extends PackRole>(
  config: Pick<Config, 'modelsDir'>,
  name: string,
  role?: R,
): Promise<PackOf<R>> {
  const pack = await resolvePack(config.modelsDir, name)
  requireRole(pack, role)
  return (await openCheckedPack(pack, await checkPack(pack, 'if-changed'))) as PackOf<R>
}

/**
 * Opens a pack whose files have just been checked.
 * @throws PackError `missing`, `corrupt`, `not_verified`
 */
export async function openCheckedPack(pack: PackFolder, checks: FileCheck[]): Promise<Pack> {
  requireReady(pack, checks)
  await requirePrompts(pack)
  return verifiedPack(pack, checks)
}

function requireRole(pack: PackFolder, role: PackRole | undefined): void {
  const { name, role: actual } = pack.manifest
  if (role === undefined || role === actual) return
  throw new PackError('wrong_role', `The pack "${name}" is a ${actual} pack, not a ${role} pack.`)
}

function requireReady(pack: PackFolder, checks: FileCheck[]): void {
  const state = packState(checks)
  if (state === 'ready') return
  const { name } = pack.manifest
  const problems = checks.flatMap(({ problem }) =>
    problem === undefined ? [] : [`  ${problem}\n`],
  )
  const command = state === 'not-verified' ? 'verify' : 'pull'
  throw new PackError(
    state === 'not-verified' ? 'not_verified' : state,
    `The pack "${name}" cannot be used:\n${problems.join('')}Run: npm run models -- ${command} ${name}`,
  )
}

async function requirePrompts(pack: PackFolder): Promise<void> {
  if (pack.manifest.role !== 'llm') return
  const folder = path.join(pack.folder, pack.manifest.llm.prompts)
  if ((await stat(folder).catch(() => undefined))?.isDirectory()) return
  throw new PackError(
    'missing',
    `The prompts of the pack "${pack.manifest.name}" are missing: there is no folder ${folder}.`,
  )
}

function verifiedPack({ folder, manifest }: PackFolder, checks: FileCheck[]): Pack {
  const { name, title } = manifest
  const common = { name, title, folder, revision: packRevision(manifest, checks) }
  const absolute = (relative: string): string => path.join(folder, relative)
  switch (manifest.role) {
    case 'clip': {
      const { clip, role } = manifest
      const vision = { ...clip.vision, model: absolute(clip.vision.model) }
      const text = { ...clip.text, model: absolute(clip.text.model) }
      const tokenizer = absolute(clip.tokenizer)
      const preprocessor = absolute(clip.preprocessor)
      return { ...common, role, clip: { ...clip, vision, text, tokenizer, preprocessor } }
    }
    case 'llm': {
      const { llm, role } = manifest
      const adapter = llm.adapter === undefined ? undefined : absolute(llm.adapter)
      const merged = llm.merged === undefined ? undefined : absolute(llm.merged)
      const model = absolute(llm.model)
      const prompts = absolute(llm.prompts)
      return { ...common, role, llm: { ...llm, model, adapter, merged, prompts } }
    }
    case 'photo-safety': {
      const { photoSafety, role } = manifest
      const model = absolute(photoSafety.model)
      return { ...common, role, photoSafety: { ...photoSafety, model } }
    }
    case 'bio-safety': {
      const { bioSafety, role } = manifest
      const text = { ...bioSafety.text, model: absolute(bioSafety.text.model) }
      const tokenizer = absolute(bioSafety.tokenizer)
      return { ...common, role, bioSafety: { ...bioSafety, text, tokenizer } }
    }
    case 'match': {
      const { match, role } = manifest
      const text = { ...match.text, model: absolute(match.text.model) }
      const tokenizer = absolute(match.tokenizer)
      return { ...common, role, match: { ...match, text, tokenizer } }
    }
  }
}

function packRevision(manifest: PackManifest, checks: FileCheck[]): string {
  const files = checks.map(({ file, content }) => [file.path, content?.sha256])
  const text = JSON.stringify([files, roleSection(manifest)])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

function roleSection(
  manifest: PackManifest,
): ClipSection | LlmSection | PhotoSafetySection | BioSafetySection | MatchSection {
  switch (manifest.role) {
    case 'clip':
      return manifest.clip
    case 'llm':
      return manifest.llm
    case 'photo-safety':
      return manifest.photoSafety
    case 'bio-safety':
      return manifest.bioSafety
    case 'match':
      return manifest.match
  }
}
