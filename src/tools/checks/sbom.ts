import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { describeModels } from '../dependencies/describe-models.js'
import { PROJECT_FOLDER } from '../project-folder.js'

/**
 * Writes the software bill of materials as CycloneDX JSON: what npm installs for production on this platform, and the model packs.
 * Fails if it does not keep to the schema. The argument is the file; default: `.cache/sbom.cdx.json`.
 */

const DEFAULT_FILE = path.join('.cache', 'sbom.cdx.json')

/** The parts of npm's document that are changed. */
interface Bom {
  specVersion: string
  metadata: { component: { name: string; type: string } }
  components: { name: string; 'bom-ref': string }[]
}

const file = path.resolve(process.argv[2] ?? path.join(PROJECT_FOLDER, DEFAULT_FILE))
const bom = describePackages()
const models = describeModels(path.join(PROJECT_FOLDER, 'models'))
const document = JSON.stringify({ ...bom, components: [...bom.components, ...models] }, null, 2)

const problem = await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(document)
if (problem !== null) {
  console.error('The bill of materials does not keep to the schema:', problem)
  process.exit(1)
}
mkdirSync(path.dirname(file), { recursive: true })
writeFileSync(file, `${document}\n`)
console.log(`${file}: ${bom.components.length} packages, ${models.length} models`)

/** npm's own description of the installed production dependencies. */
function describePackages(): Bom {
  const words = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--omit',
    'dev',
  ]
  const output = execFileSync('npm', words, { cwd: PROJECT_FOLDER, encoding: 'utf8' })
  const bom = JSON.parse(output) as Bom
  const { name } = JSON.parse(readFileSync(path.join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
    name: string
  }
  // npm takes the name of the folder for the project, and the name that the code imports for a package under another one.
  bom.metadata.component.name = name
  for (const component of bom.components) component.name = publishedName(component['bom-ref'])
  return bom
}

/** `@scope/name` of `@scope/name@1.2.3`. */
function publishedName(reference: string): string {
  return reference.slice(0, reference.lastIndexOf('@'))
}
