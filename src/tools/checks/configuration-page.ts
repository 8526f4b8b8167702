import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { environmentSchema } from '../../config/environment-schema.js'
import { PROJECT_FOLDER } from '../project-folder.js'

/** Writes docs/configuration.md from the schema. With `--check`, fails if the file is out of date. */

const HEADER = ['Variable', 'Default', 'Meaning']

const file = path.join(PROJECT_FOLDER, 'docs', 'configuration.md')
const page = renderPage()
if (!process.argv.includes('--check')) {
  writeFileSync(file, page)
} else if (readFileSync(file, 'utf8') !== page) {
  console.error('docs/configuration.md is out of date. Run: npm run docs')
  process.exitCode = 1
}

function renderPage(): string {
  const rows = Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const { data } = schema.safeParse(undefined)
    const value = data === undefined ? '' : String(data)
    return [`\`${name}\``, value === '' ? '–' : `\`${value}\``, schema.description ?? '']
  })
  const widths = HEADER.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => [...row[column]!].length)),
  )
  const renderRow = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [
    '# Configuration',
    '',
    'Every variable the service reads, from the environment or from the file `ENV_FILE`. A variable of the environment',
    'wins. Wrong values are reported all at once at the start, which then ends with exit code 1. This page is generated',
    'from the schema in `src/config/environment-schema.ts`.',
    '',
    renderRow(HEADER),
    renderRow(widths.map((width) => '-'.repeat(width))),
    ...rows.map(renderRow),
    '',
  ].join('\n')
}
