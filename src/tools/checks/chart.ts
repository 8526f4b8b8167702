import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parse } from 'yaml'
import { PROJECT_FOLDER } from '../project-folder.js'
import {
  chartTool,
  installChartTools,
  KUBERNETES_VERSIONS,
  schemaLocation,
  type ChartTool,
} from './chart/chart-tools.js'
import { findWrongVariables, variablesOfServer } from './chart/check-variables.js'
import { describeTraffic, findLooseEnds } from './chart/describe-traffic.js'
import { parseObjects, type KubernetesObject } from './chart/kubernetes-object.js'

/**
 * Checks the Helm chart with each file of test/ops/values: it renders, Kubernetes knows every field, a linter finds no bad
 * practice, the service knows every variable, and the network policies allow what stands beside the file, no more and no less.
 * Files under `refused` must be refused for the reason in their first line. `--write` writes the allowed traffic anew, for review.
 */

const CHART = path.join(PROJECT_FOLDER, 'ops', 'helm', 'profile-intelligence')
const VALUES = path.join(PROJECT_FOLDER, 'test', 'ops', 'values')
/** Replicas are kept apart by topology spread constraints; images have fixed tags. */
const IGNORED_TESTS = [
  'container-image-pull-policy',
  'deployment-has-host-podantiaffinity',
  'statefulset-has-host-podantiaffinity',
]
/** One server with a volume that one pod at a time may use. */
const IGNORED_WITH_SQLITE = ['deployment-replicas', 'deployment-strategy']

const problems: string[] = []
installChartTools()
checkVersion()
const files = readdirSync(VALUES).filter((file) => file.endsWith('.yaml'))
for (const file of files) checkValues(path.join(VALUES, file))
const refused = readdirSync(path.join(VALUES, 'refused'))
for (const file of refused) checkRefused(path.join(VALUES, 'refused', file))
for (const problem of problems) console.error(`✗ ${problem}`)
console.log(
  `${files.length} values files, ${refused.length} refused ones: ${problems.length} problems`,
)
process.exitCode = problems.length === 0 ? 0 : 1

function checkVersion(): void {
  const { appVersion } = parse(readFileSync(path.join(CHART, 'Chart.yaml'), 'utf8')) as {
    appVersion: string
  }
  const { version } = readJson<{ version: string }>(path.join(PROJECT_FOLDER, 'package.json'))
  if (appVersion !== version) problems.push(`Chart.yaml: appVersion is not ${version}`)
}

function checkValues(file: string): void {
  const report = (problem: string) => problems.push(`${path.basename(file)}: ${problem}`)
  const linted = runTool('helm', ['lint', CHART, '--strict', '--values', file])
  if (linted.status !== 0) report(linted.output)
  const { status, stdout, output } = render(file)
  if (status !== 0) return void report(output)
  for (const version of KUBERNETES_VERSIONS) {
    const location = schemaLocation(version)
    // ServiceMonitor belongs to an operator, so Kubernetes has no schema of it.
    const args = ['-strict', '-schema-location', location, '-skip', 'ServiceMonitor', '-']
    const checked = runTool('kubeconform', args, stdout)
    if (checked.status !== 0) report(`Kubernetes ${version}: ${checked.output}`)
  }
  const objects = parseObjects(stdout)
  lint(stdout, objects).forEach(report)
  findWrongVariables(objects).forEach(report)
  findLooseEnds(objects).forEach(report)
  findUnreserved(file, objects).forEach(report)
  compareTraffic(file, objects).forEach(report)
}

function render(file: string) {
  const version = KUBERNETES_VERSIONS.at(-1)!
  const args = ['template', 'pis', CHART, '--kube-version', version, '--values', file]
  return runTool('helm', args)
}

function lint(rendered: string, objects: readonly KubernetesObject[]): string[] {
  const isSqlite = objects.some(({ kind }) => kind === 'PersistentVolumeClaim')
  const ignored = isSqlite ? [...IGNORED_TESTS, ...IGNORED_WITH_SQLITE] : IGNORED_TESTS
  const args = ['score', '--output-format', 'ci', '--exit-one-on-warning']
  args.push('--kubernetes-version', `v${KUBERNETES_VERSIONS[0]}`)
  args.push(...ignored.flatMap((name) => ['--ignore-test', name]), '-')
  const { status, stdout, output } = runTool('kube-score', args, rendered)
  if (status === 0) return []
  const found = stdout.split('\n').filter((line) => /^\[(?:CRITICAL|WARNING)\]/.test(line))
  return found.length === 0 ? [`kube-score failed: ${output}`] : found
}

/** Variables that the chart sets must be refused in `settings`, or a container would have them twice. */
function findUnreserved(file: string, objects: readonly KubernetesObject[]): string[] {
  const values = parse(readFileSync(file, 'utf8')) as { settings?: Record<string, unknown> }
  const schema = readJson<SettingsSchema>(path.join(CHART, 'values.schema.json'))
  const reserved = schema.properties.settings.allOf[1].propertyNames.not.enum
  return variablesOfServer(objects, Object.keys(values.settings ?? {}))
    .filter((name) => !reserved.includes(name))
    .map((name) => `values.schema.json does not refuse ${name} in settings`)
}

interface SettingsSchema {
  properties: { settings: { allOf: [unknown, { propertyNames: { not: { enum: string[] } } }] } }
}

function compareTraffic(file: string, objects: readonly KubernetesObject[]): string[] {
  const expectation = file.replace(/\.yaml$/, '.traffic.txt')
  const allowed = `${describeTraffic(objects).join('\n')}\n`
  if (process.argv.includes('--write')) writeFileSync(expectation, allowed)
  const expected = existsSync(expectation) ? readFileSync(expectation, 'utf8') : ''
  if (allowed === expected) return []
  return [`the allowed traffic is not that of ${path.basename(expectation)}:\n${allowed}`]
}

function checkRefused(file: string): void {
  const [, reason] = /^# Refused: (.+)$/m.exec(readFileSync(file, 'utf8')) ?? []
  const { status, output } = render(file)
  if (reason === undefined || status === 0 || !output.includes(reason))
    problems.push(`refused/${path.basename(file)}: not refused for “${reason}”: ${output}`)
}

function runTool(tool: ChartTool, args: string[], input = '') {
  const options = { input, encoding: 'utf8', timeout: 60_000, maxBuffer: 64 * 1024 * 1024 } as const
  const { error, status, stdout, stderr } = spawnSync(chartTool(tool), args, options)
  if (error) throw new Error(`${tool} cannot be run`, { cause: error })
  return { status, stdout, output: stderr + stdout }
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T
}
