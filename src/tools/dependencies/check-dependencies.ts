import { z } from 'zod'
import { isAllowedLicence } from './allowed-licences.js'

const versions = z.record(z.string(), z.string()).default({})

/** The parts of a package.json that are checked. */
export const packageSchema = z.object({
  name: z.string(),
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
})

/** The parts of a package-lock.json that are checked. */
export const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().default(false),
      dev: z.boolean().default(false),
    }),
  ),
})

export type PackageManifest = z.infer<typeof packageSchema>
export type PackageLock = z.infer<typeof lockSchema>

/** A version as it is published, also that of a package under another name. */
const EXACT_VERSION = /^(?:npm:(?:@[^/]+\/)?[^@/]+@)?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/
const INSTALLED = 'node_modules/'

/**
 * Checks dependencies against docs/dependencies.md. Returns a sentence for each problem: a version that is not exact, a package
 * without a hash, a production dependency whose licence is not allowed.
 */
export function checkDependencies(
  manifests: readonly PackageManifest[],
  { packages }: PackageLock,
): string[] {
  const own = new Set(manifests.map(({ name }) => name))
  return [
    ...manifests.flatMap((manifest) => listRanges(manifest)),
    ...Object.entries(packages).flatMap(([folder, { license, integrity, link, dev }]) => {
      const at = folder.lastIndexOf(INSTALLED)
      const name = folder.slice(at + INSTALLED.length)
      // The workspaces themselves.
      if (at < 0 || link || own.has(name)) return []
      return [
        ...(integrity === undefined ? [`${name} has no hash in package-lock.json`] : []),
        ...(dev || isAllowedLicence(license ?? '')
          ? []
          : [`${name} has the licence ${license ?? 'unknown'}, which is not on the list`]),
      ]
    }),
  ]
}

function listRanges({
  name,
  dependencies,
  devDependencies,
  optionalDependencies,
}: PackageManifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).flatMap(
    ([dependency, version]) =>
      EXACT_VERSION.test(version)
        ? []
        : [`${name}: ${dependency} has no exact version: ${version}`],
  )
}
