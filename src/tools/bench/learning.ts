import { statSync } from 'node:fs'
import process from 'node:process'
import { databaseFile, openDatabase, type Database } from '../../database/open-database.js'
import { dayOf } from '../../events/calendar.js'
import { createLearner } from '../../learning/learner.js'
import { readLearningReport } from '../../learning/read-report.js'
import { recomputeEvidence } from '../../learning/recompute-evidence.js'
import { startFitThread } from '../../learning/start-fit-thread.js'
import { STYLE_NAMES, TONES } from '../../openers/styles.js'
import { openSecretOf } from '../../organizations/check-server-secret.js'
import { createLog } from '../../telemetry/log.js'
import { createMetrics } from '../../telemetry/metrics.js'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
import { fillOpeners } from './learning/fill-openers.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { timeEach, timeRepeatedly } from './time-each.js'

const SIZES = [100_000, 1_000_000, 10_000_000]
const DAYS = 365
const NOW = Date.UTC(2026, 6, 15, 12)
const SCOPE = { organizationId: 'org_bench', environment: 'live' } as const
const CONFIG = { learning: { isAllowed: true, isPooled: false } }
const CHOICES = 20_000
const READINGS = 5

type Row = Record<string, number>

interface LearningBenchReport extends Report {
  /** A row for each number of stored openers. */
  sizes: Row[]
}

/** Measures what the learner costs with up to ten million openers of one environment in a year. */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const sizes: Row[] = []
  for (const size of SIZES) {
    console.error(`▸ ${size} openers`)
    sizes.push(await measureSize(size))
  }
  const report: LearningBenchReport = { benchmark: 'learning', machine: describeMachine(), sizes }
  publish(report, options, { print: printReport })
}

async function measureSize(openers: number): Promise<Row> {
  const dataDir = createScratchFolder()
  const db = await openDatabase(dataDir)
  await db
    .insertInto('organizations')
    .values({ id: SCOPE.organizationId, name: 'Bench', plan: 'scale', created_at: NOW })
    .execute()
  const today = dayOf(NOW)
  await fillOpeners(db, { scope: SCOPE, openers, firstDay: today - DAYS, lastDay: today - 1 })
  const before = process.memoryUsage.rss()
  const [recompute = 0, again = 0] = await timeRepeatedly(2, () => recomputeEvidence(db, SCOPE))
  const reports = await timeRepeatedly(READINGS, () =>
    readLearningReport({ db, config: CONFIG }, SCOPE, NOW),
  )
  const choices = await measureChoices(db, dataDir)
  await db.destroy()
  return {
    openers,
    'database, MB': Math.round(statSync(databaseFile(dataDir)).size / 1e6),
    'recompute all, s': roundTo(recompute / 1_000, 1),
    'recompute, nothing wrong, s': roundTo(again / 1_000, 1),
    'memory before, MB': Math.round(before / 1e6),
    'memory at most, MB': Math.round((process.resourceUsage().maxRSS * 1_024) / 1e6),
    'report, ms p50': roundTo(median(reports), 1),
    ...choices,
  }
}

/** The first choice reads and fits; the others are what a call waits for. */
async function measureChoices(db: Database, dataDir: string): Promise<Row> {
  const secret = await openSecretOf(db, { dataDir })
  const log = createLog({ level: 'silent', format: 'json' })
  const metrics = createMetrics()
  const { fit, close } = startFitThread({ dataDir, isPooled: false })
  const learner = createLearner({ db, secret, config: CONFIG, fit, log, metrics, clock: () => NOW })
  const styles = STYLE_NAMES
  const choose = (index: number) =>
    learner.choose({
      ...SCOPE,
      requestId: `req_${index}`,
      subject: `subject ${index}`,
      tone: TONES[index % TONES.length] as (typeof TONES)[0],
      styles: index % 3 === 0 ? styles : styles.slice(index % 2),
    })
  const tasks = Array.from({ length: CHOICES }, (_, index) => () => choose(index))
  const [first = 0, ...times] = await timeEach(tasks)
  await learner.close()
  await close()
  return {
    'first choice, ms': roundTo(first, 1),
    'choice, ms p50': roundTo(median(times), 3),
    'choice, ms p99': roundTo(quantile(times, 0.99), 3),
    'choice, ms max': roundTo(Math.max(...times), 1),
  }
}

function printReport({ sizes }: LearningBenchReport, print: Print): void {
  print('\nLearning from a year of openers of one environment\n')
  print(formatTable(sizes))
}
