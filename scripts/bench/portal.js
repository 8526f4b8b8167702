import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { openDatabase } from '../../dist/database/open-database.js'
import { readPlans } from '../../dist/metering/plans.js'
import { openServerSecret } from '../../dist/organizations/server-secret.js'
import { createInvitation, findInvitation } from '../../dist/accounts/invitation.js'
import { acceptByPassword } from '../../dist/accounts/accept-invitation.js'
import { fillDatabase } from '../demo/history.js'
import { projectDir } from '../prepare.js'
import { describeMachine } from '../describe-machine.js'
import { publish, table } from './publish.js'
import { createScratchFolder } from './scratch-folder.js'
import { summarize } from './statistics.js'

const EVENTS = 5_000_000
const RUNS = 21
const ASSETS = path.join(projectDir, 'dist', 'portal', 'assets')
const PAGES = {
  'overview, 30 days': '/portal?env=live',
  'overview, 24 hours': '/portal?env=live&period=24h',
  'overview, 12 months': '/portal?env=live&period=12m',
  'openers, 90 days': '/portal/openers?env=live',
  'openers, 12 months': '/portal/openers?env=live&period=12m',
  'retention, 12 weeks': '/portal/retention?env=live',
  'retention, 52 weeks': '/portal/retention?env=live&period=52w',
}

/**
 * How long the pages of the portal take to answer with a year of five million events behind them, and what scripts and
 * styles their first view loads. BENCH_DATA_DIR names a folder that `npm run demo -- --history` has filled already.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const given = process.env.BENCH_DATA_DIR
  const dataDir = given ?? createScratchFolder()
  const { cookie, events } = await prepareData(dataDir, given === undefined)
  const server = fork(path.join(projectDir, 'scripts', 'bench', 'portal-server.js'), [dataDir])
  try {
    const [{ port }] = await once(server, 'message')
    const report = { benchmark: 'portal', machine: describeMachine(), events, pages: {} }
    for (const [name, address] of Object.entries(PAGES)) {
      report.pages[name] = await measurePage(`http://127.0.0.1:${port}`, address, cookie)
    }
    publish(report, options, { print })
  } finally {
    server.disconnect()
    await once(server, 'exit')
  }
}

/** @returns the cookie of a signed-in viewer, and how many events there are */
async function prepareData(/** @type {string} */ dataDir, /** @type {boolean} */ isEmpty) {
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
  const invite = { organizationId: id, role: /** @type {const} */ ('viewer') }
  const { token } = await createInvitation({ db, secret }, invite, { actor: 'bench', now })
  const outcome = await acceptByPassword(
    { db, secret },
    await findInvitation({ db, secret }, token, now),
    {
      email: `bench-${now}@example.com`,
      password: `a long password ${now}`,
      address: '127.0.0.1',
      device: 'Benchmark',
      now,
    },
  )
  await db.destroy()
  if (outcome.kind !== 'accepted') throw new Error('The viewer could not be created.')
  return { cookie: `portal=${outcome.sessionToken}`, events: Number(events) }
}

/**
 * @param {string} origin
 * @param {string} address
 * @param {string} cookie
 */
async function measurePage(origin, address, cookie) {
  const times = []
  let html = ''
  for (let run = -2; run < RUNS; run++) {
    const startedAt = performance.now()
    const response = await fetch(origin + address, { headers: { cookie }, redirect: 'error' })
    html = await response.text()
    if (!response.ok) throw new Error(`${address}: ${response.status}`)
    if (run >= 0) times.push(performance.now() - startedAt)
  }
  return { milliseconds: summarize(times), htmlKb: kb(html.length), ...weigh(html) }
}

/** Scripts and styles that the first view of a page loads, with what they import. */
function weigh(/** @type {string} */ html) {
  const named = [...html.matchAll(/\/portal\/assets\/([\w.-]+)/g)].map(([, name = '']) => name)
  const files = new Set(named)
  for (const name of files) {
    const text = readFileSync(path.join(ASSETS, name), 'utf8')
    for (const chunk of readdirSync(ASSETS)) {
      if (/^chunk-.*\.js$/.test(chunk) && text.includes(chunk)) files.add(chunk)
    }
  }
  const weight = (/** @type {string} */ type, /** @type {string} */ suffix) =>
    kb(
      [...files]
        .filter((name) => name.endsWith(type))
        .reduce((sum, name) => sum + readFileSync(path.join(ASSETS, name + suffix)).length, 0),
    )
  return {
    scriptKb: weight('.js', ''),
    scriptBrotliKb: weight('.js', '.br'),
    styleKb: weight('.css', ''),
  }
}

function kb(/** @type {number} */ bytes) {
  return Math.round(bytes / 100) / 10
}

function print(
  /** @type {any} */ { machine, events, pages },
  /** @type {import('./publish.js').Say} */ say,
) {
  const { cpu, cores, node } = machine
  say(
    `\n${cpu}, ${cores} cores, Node ${node}; ${events.toLocaleString('en')} events of a year; ${RUNS} requests a page\n`,
  )
  say(
    table(
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
