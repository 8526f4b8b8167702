import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatTable } from '../../../bench/report/publish.js'
import { PROJECT_FOLDER } from '../../../project-folder.js'

const PAGE = path.join(PROJECT_FOLDER, 'docs', 'learning.md')
const PLOTS = path.join(PROJECT_FOLDER, 'docs', 'learning')

export interface ReportPart {
  name: string
  tables: readonly (readonly Readonly<Record<string, string | number>>[])[]
  /** SVG */
  plot?: string
}

/** Replaces the tables of one part in docs/learning.md, and its plot; the text around them is written by hand. */
export function writePart({ name, tables, plot }: ReportPart): void {
  const [begin, end] = [`<!-- simulated: ${name} -->`, `<!-- end of ${name} -->`]
  const page = readFileSync(PAGE, 'utf8')
  const [before, after] = [page.indexOf(begin), page.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`${PAGE} has no place for ${name}.`)
  const results = tables.map(formatTable)
  if (plot !== undefined) {
    mkdirSync(PLOTS, { recursive: true })
    writeFileSync(path.join(PLOTS, `${name}.svg`), `${plot}\n`)
    results.push(`![Share of the way by openers sent](learning/${name}.svg)`)
  }
  const section = [begin, ...results, ''].join('\n\n')
  writeFileSync(PAGE, page.slice(0, before) + section + page.slice(after))
}
