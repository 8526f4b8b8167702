import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface SourceImport {
  /** Importing file, relative to `src`. */
  from: string
  /** Imported file relative to `src`, or the name of a package. */
  to: string
  isTypeOnly: boolean
}

export interface SourceTree {
  /** Text by file, relative to `src`. */
  texts: ReadonlyMap<string, string>
  imports: readonly SourceImport[]
}

const STATEMENT = /^(?:import|export)\s(?:(?<names>[^'"]*?)\sfrom\s+)?'(?<target>[^']+)'/gms
const DYNAMIC = /\bimport\(\s*'(?<target>[^']+)'/g

/** Reads every TypeScript file of `src` with what it imports, type imports included. */
export function readSourceTree(): SourceTree {
  const files = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative('src', path.join(entry.parentPath, entry.name)))
    .sort()
  const texts = new Map(files.map((file) => [file, readFileSync(path.join('src', file), 'utf8')]))
  const known = new Set(files)
  const imports = [...texts].flatMap(([from, text]) =>
    [...text.matchAll(STATEMENT), ...text.matchAll(DYNAMIC)].map(({ groups }) => ({
      from,
      to: resolve(from, groups?.target ?? '', known),
      isTypeOnly: groups?.names?.startsWith('type ') ?? false,
    })),
  )
  return { texts, imports }
}

function resolve(from: string, target: string, known: ReadonlySet<string>): string {
  if (!target.startsWith('.')) return target
  const file = path.join(path.dirname(from), target)
  const candidates = [file.replace(/\.js$/, '.ts'), file.replace(/\.js$/, '.tsx')]
  return candidates.find((candidate) => known.has(candidate)) ?? file
}

/** Files that import each other in a circle, each circle once, or none. */
export function findCircles(imports: readonly SourceImport[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to])
  const circles: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]) => {
    const start = trail.indexOf(file)
    if (start >= 0) return void circles.push([...trail.slice(start), file])
    if (done.has(file)) return
    for (const to of targets.get(file) ?? []) visit(to, [...trail, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  return circles
}
