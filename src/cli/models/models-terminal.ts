import Table from 'cli-table3'
import type { ProgressStream } from '../../packs/pull-progress.js'

/** Where the models commands write and how they end; tests put their own in its place. */
export interface ModelsTerminal {
  /** Results. */
  stdout: NodeJS.WritableStream
  /** Progress and failures. */
  stderr: ProgressStream
  setExitCode(code: number): void
}

export const MODELS_TERMINAL: ModelsTerminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  setExitCode: (code) => {
    process.exitCode = code
  },
}

const SIDES = ['top', 'bottom', 'left', 'right', 'mid'] as const
const CORNERS = ['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right']
const CROSSINGS = ['left-mid', 'mid-mid', 'right-mid']
const BORDERLESS = {
  ...Object.fromEntries([...SIDES, ...CORNERS, ...CROSSINGS].map((border) => [border, ''])),
  middle: '  ',
}

/** Rows in columns, one line each. */
export function formatTable(head: string[], rows: string[][]): string {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }
  const table = new Table({ head, chars: BORDERLESS, style })
  table.push(...rows)
  return `${table.toString().replace(/ +$/gm, '')}\n`
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
