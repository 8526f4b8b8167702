import process from 'node:process'
import { fillHistory } from './history/fill-history.js'

/**
 * `npm run demo`: plays the whole loop against a running server. With `--history` it fills a new database with an invented
 * year for the portal instead.
 */
export async function runDemoCommand(args: readonly string[]): Promise<void> {
  try {
    if (args.includes('--history')) await fillHistory(args)
    else await (await import('./play-demo.js')).playDemo()
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
