import { FaultEnvironment, type FaultSettings } from './environment/fault-environment.js'
import type { OutcomeRow, Scenario } from './scenario.js'
import { SkippedScenario } from './skipped-scenario.js'

/** What a run of scenarios came to. */
export interface FaultRun {
  rows: OutcomeRow[]
  /** Names of scenarios that the platform does not allow, with the reason. */
  skipped: Map<string, string>
}

/** Runs scenarios one after the other and reports progress on standard error. A scenario that throws is a failed row. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  settings: FaultSettings,
): Promise<FaultRun> {
  const run: FaultRun = { rows: [], skipped: new Map() }
  for (const scenario of scenarios) {
    process.stderr.write(`▸ ${scenario.name} …`)
    const startedAt = performance.now()
    try {
      const rows = await runScenario(scenario, settings)
      run.rows.push(...rows)
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
      process.stderr.write(
        `\r${rows.every(isSurvived) ? '✓' : '✗'} ${scenario.name} (${seconds} s)\n`,
      )
      for (const row of rows)
        for (const text of problemsOf(row)) process.stderr.write(`    ${text}\n`)
    } catch (error) {
      if (!(error instanceof SkippedScenario)) throw error
      run.skipped.set(scenario.name, error.message)
      process.stderr.write(`\r– ${scenario.name}: not run. ${error.message}\n`)
    }
  }
  return run
}

async function runScenario(scenario: Scenario, settings: FaultSettings): Promise<OutcomeRow[]> {
  const environment = new FaultEnvironment(settings)
  const close = () => environment.close()
  process.once('exit', close)
  try {
    const rows = await scenario.run(environment)
    return rows.map((row) => withoutPaths(row, environment.folder))
  } catch (error) {
    if (error instanceof SkippedScenario) throw error
    return [failedRow(scenario.name, error)]
  } finally {
    process.removeListener('exit', close)
    close()
  }
}

/** Scratch folders have other names in every run. */
function withoutPaths(row: OutcomeRow, folder: string): OutcomeRow {
  const clean = (text: string) =>
    text
      .replaceAll(new RegExp(`${folder}/(?:disk-\\d+/)?data(?:-\\d+)?`, 'g'), 'DATA_DIR')
      .replaceAll(folder, '…')
  return {
    ...row,
    partners: clean(row.partners),
    operator: clean(row.operator),
    recovery: clean(row.recovery),
    deviations: row.deviations.map(clean),
  }
}

function failedRow(name: string, error: unknown): OutcomeRow {
  const text = error instanceof Error ? error.message : String(error)
  return {
    fault: name,
    injection: '',
    partners: '',
    operator: '',
    recovery: 'not recovered',
    acknowledged: 0,
    lost: 0,
    deviations: [`the scenario could not be completed: ${text}`],
  }
}

export function isSurvived({ lost, deviations }: OutcomeRow): boolean {
  return lost === 0 && deviations.length === 0
}

/** What was lost and what deviated, a line each; nothing of a fault that was survived. */
export function problemsOf({ fault, lost, acknowledged, deviations }: OutcomeRow): string[] {
  const texts =
    lost > 0 ? [`${lost} of ${acknowledged} acknowledged records lost`, ...deviations] : deviations
  return texts.map((text) => `${fault}: ${text}`)
}
