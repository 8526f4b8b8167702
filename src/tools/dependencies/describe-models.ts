import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packManifest, type PackManifest } from '../../packs/manifest.js'

/** A component of CycloneDX 1.5, as far as models need it. */
export interface ModelComponent {
  type: 'machine-learning-model'
  'bom-ref': string
  name: string
  version: string
  description: string
  licenses: [{ license: { id: string } | { name: string } } | { expression: string }]
  externalReferences: { type: 'website' | 'license'; url: string }[]
  components: {
    type: 'file'
    'bom-ref': string
    name: string
    hashes: { alg: 'SHA-256'; content: string }[]
  }[]
}

/** Every pack of a models folder. A file has no hash here if its first download pins it. */
export function describeModels(modelsFolder: string): ModelComponent[] {
  return readdirSync(modelsFolder)
    .sort()
    .map((name) => path.join(modelsFolder, name, 'pack.json'))
    .filter((file) => existsSync(file))
    .map((file) => packManifest.parse(JSON.parse(readFileSync(file, 'utf8'))))
    .map(describeModel)
}

function describeModel({ name, title, homepage, licence, files }: PackManifest): ModelComponent {
  return {
    type: 'machine-learning-model',
    'bom-ref': `model:${name}`,
    name,
    version: revisionOf(files),
    description: title,
    licenses: [describeLicence(licence.spdx)],
    externalReferences: [
      { type: 'website', url: homepage },
      { type: 'license', url: licence.url },
    ],
    components: files.map(({ path: file, sha256 }) => ({
      type: 'file',
      'bom-ref': `model:${name}/${file}`,
      name: file,
      hashes: sha256 === undefined ? [] : [{ alg: 'SHA-256', content: sha256 }],
    })),
  }
}

/** The commit of the weights where they come from a hub that has one. */
function revisionOf(files: PackManifest['files']): string {
  const revisions = files.flatMap(({ sources }) =>
    sources.flatMap((source) => (source.type === 'huggingface' ? [source.revision] : [])),
  )
  return revisions[0] ?? 'of this repository'
}

function describeLicence(spdx: string): ModelComponent['licenses'][0] {
  if (spdx.startsWith('LicenseRef-')) return { license: { name: spdx } }
  return /\s/.test(spdx) ? { expression: spdx } : { license: { id: spdx } }
}
