import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { acceptWithNewAccount } from '../../accounts/accept-invitation.js'
import type { AccountDeps } from '../../accounts/account-deps.js'
import { createInvitation, findInvitation } from '../../accounts/invitation.js'
import { openDatabase } from '../../database/open-database.js'
import { readPlans } from '../../metering/plans.js'
import { openServerSecret } from '../../organizations/server-secret.js'
import { fillDatabase } from '../demo/history/fill-database.js'
import { describeMachine } from '../describe-machine.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
import type { PortalServerReady } from './portal/portal-server.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { summarizeLatencies, type LatencySummary } from './report/summaries.js'

const EVENTS = 5_000_000
const RUNS = 21
const WARM_UP_RUNS = 2
const ASSETS = path.join(PROJECT_FOLDER, 'dist', 'portal', 'assets')
const SERVER = new URL('portal/portal-server.js', import.meta.url)
const PAGES = {
  'overview, 30 days': '/portal?env=live',
  'overview, 24 hours': '/portal?env=live&period=24h',
  'overview, 12 months': '/portal?env=live&period=12m',
  'openers, 90 days': '/portal/openers?env=live',
  'openers, 12 months': '/portal/openers?env=live&period=12m',
  'what works': '/portal/what-works?env=live',
  'retention, 12 weeks': '/portal/retention?env=live',
  'retention, 52 weeks': '/portal/retention?env=live&period=52w',
}

interface PageReport extends AssetSizes {
  milliseconds: LatencySummary
  htmlKb: number
}

interface PortalReport extends Report {
  events: number
  pages: Record<string, PageReport>
}

/**
 * Measures how long the portal's pages take to answer with a year of five million events, and how large the scripts and
 * styles of their first view are. BENCH_DATA_DIR names a folder that `npm run demo -- --history` has already filled.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const given = process.env.BENCH_DATA_DIR
  const dataDir = given ?? createScratchFolder()
  const { cookie, events } = await prepareData(dataDir, { isEmpty: given === undefined })
  const server = fork(SERVER, [dataDir])
  try {
    const [{ port }] = (await once(server, 'message')) as [PortalServerReady]
    const pages: Record<string, PageReport> = {}
    for (const [name, address] of Object.entries(PAGES)) {
      pages[name] = await measurePage(`http://127.0.0.1:${port}${address}`, cookie)
    }
    const machine = describeMachine()
    const report: PortalReport = { benchmark: 'portal', machine, events, pages }
    publish(report, options, { print: printReport })
  } finally {
    server.disconnect()
    await once(server, 'exit')
  }
}

/** Fills an empty data folder. Returns the cookie of a signed-in viewer and the number of events. */
async function prepareData(
  dataDir: string,
  { isEmpty }: { isEmpty: boolean },
): Promise<{ cookie: string; events: number }> {
  const now = Date.now()
  const db = await openDatabase(dataDir)
  const secret = await openServerSecret(dataDir)
  const plans = await readPlans({ dataDir, plansFile: undefined })
  if (isEmpty) await fillDatabase({ db, secret, plans }, { eventCount: EVENTS, now })
  const { id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
  const { events } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll().as('events'))
    .executeTakeFirstOrThrow()
  const sessionToken = await signInViewer({ db, secret }, id, now)
  await db.destroy()
  return { cookie: `portal=${sessionToken}`, events: Number(events) }
}

async function signInViewer(
  deps: AccountDeps,
  organizationId: string,
  now: number,
): Promise<string> {
  const invite = { organizationId, role: 'viewer' } as const
  const { token } = await createInvitation(deps, invite, { actor: 'bench', now })
  const invitation = await findInvitation(deps, token, now)
  const signIn = {
    signInName: `bench-${now}`,
    password: `a long password ${now}`,
    device: 'Benchmark',
    now,
  }
  const outcome = invitation && (await acceptWithNewAccount(deps, invitation, signIn))
  if (outcome?.kind !== 'accepted') throw new Error('The viewer could not be created.')
  return outcome.sessionToken
}

async function measurePage(url: string, cookie: string): Promise<PageReport> {
  const times: number[] = []
  let html = ''
  for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
    const startedAt = performance.now()
    const response = await fetch(url, { headers: { cookie }, redirect: 'error' })
    html = await response.text()
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
    if (run >= 0) times.push(performance.now() - startedAt)
  }
  const milliseconds = summarizeLatencies(times)
  return { milliseconds, htmlKb: toKb(html.length), ...measureAssets(html) }
}

interface AssetSizes {
  scriptKb: number
  scriptBrotliKb: number
  styleKb: number
}

/** Sizes of the scripts and styles that a page loads at first, with the chunks they import. */
function measureAssets(html: string): AssetSizes {
  const named = [...html.matchAll(/\/portal\/assets\/([\w.-]+)/g)].map(([, name = '']) => name)
  const files = new Set(named)
  for (const name of files) {
    const text = readFileSync(path.join(ASSETS, name), 'utf8')
    for (const chunk of readdirSync(ASSETS)) {
      if (/^chunk-.*\.js$/.test(chunk) && text.includes(chunk)) files.add(chunk)
    }
  }
  const totalKb = (type: string, suffix = '') => {
    const ofType = [...files].filter((name) => name.endsWith(type))
    const sizes = ofType.map((name) => readFileSync(path.join(ASSETS, name + suffix)).length)
    return toKb(sizes.reduce((sum, size) => sum + size, 0))
  }
  return {
    scriptKb: totalKb('.js'),
    scriptBrotliKb: totalKb('.js', '.br'),
    styleKb: totalKb('.css'),
  }
}

function toKb(bytes: number): number {
  return Math.round(bytes / 100) / 10
}

function printReport({ machine, events, pages }: PortalReport, print: Print): void {
  const { cpu, cores, node } = machine
  print(
    `\n${cpu}, ${cores} cores, Node ${node}; ${events.toLocaleString('en')} events of a year; ${RUNS} requests a page\n`,
  )
  print(
    formatTable(
      Object.entries(pages).map(([page, { milliseconds, htmlKb, scriptKb, scriptBrotliKb }]) => ({
        page,
        'p50, ms': milliseconds.p50,
        'p95, ms': milliseconds.p95,
        'max, ms': milliseconds.max,
        'HTML, kB': htmlKb,
        'script, kB': scriptKb,
        'script, kB, brotli': scriptBrotliKb,
      })),
    ),
  )
}
