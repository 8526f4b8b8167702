import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { environmentSchema } from '../../config/environment-schema.js'
import { PROJECT_FOLDER } from '../project-folder.js'

/** Writes docs/configuration.md from the schema; with `--check`, fails when the file is not what it would write. */

const file = path.join(PROJECT_FOLDER, 'docs', 'configuration.md')
const text = configurationPage()
if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/configuration.md is out of date. Run: npm run docs')
  process.exit(1)
}

function configurationPage() {
  const rows = Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const parsed = schema.safeParse(undefined)
    const value = parsed.success ? parsed.data : undefined
    return [
      `\`${name}\``,
      value === undefined || String(value) === '' ? '–' : `\`${String(value)}\``,
      schema.description,
    ]
  })
  const widths = [0, 1, 2].map((column) =>
    Math.max(
      ...rows.map((row) => [...String(row[column])].length),
      ['Variable', 'Default', 'Meaning'][column]?.length ?? 0,
    ),
  )
  const line = (cells: unknown[]) =>
    `| ${cells.map((cell, i) => String(cell).padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [
    '# Configuration',
    '',
    'Every variable the service reads, from the environment or from the file `ENV_FILE`. A variable of the environment',
    'wins. Wrong values are reported all at once at the start, which then ends with exit code 1. This page is generated',
    'from the schema in `src/config/environment-schema.ts`.',
    '',
    line(['Variable', 'Default', 'Meaning']),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    '',
  ].join('\n')
}
