import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dataUrl, startService, type Service } from '../http/_service.js'

const TOKEN = 'a-token-of-the-operator'

let service: Service
/** Type and label names of each exported metric. */
let exported: Map<string, { type: string; labels: Set<string> }>

beforeAll(async () => {
  service = await startService({ env: { METRICS_TOKEN: TOKEN } })
  const recipient = { id: 'r', photos: [await dataUrl()], bio: 'My cat and I like sourdough.' }
  await service.post('/v1/conversation/openers', { sender: { id: 's', name: 'Sam' }, recipient })
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const text = await (await fetch(`${service.baseUrl}/metrics`, { headers })).text()
  const families = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, family]) => family))
  exported = new Map()
  for (const { name, type, labelNames } of registeredMetrics()) {
    if (!families.has(name)) continue
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    const labels = new Set([...labelNames, 'job', 'instance', 'le'])
    for (const suffix of suffixes) exported.set(name + suffix, { type, labels })
  }
  // Prometheus adds it to every scrape.
  exported.set('up', { type: 'gauge', labels: new Set(['job', 'instance']) })
})
afterAll(() => service.close())

function registeredMetrics(): { name: string; type: string; labelNames: string[] }[] {
  const { registry } = service.context.metrics
  const described = registry.getMetricsAsArray() as unknown as {
    name: string
    type: string
    labelNames?: string[]
  }[]
  return described.map(({ name, labelNames = [] }) => {
    const metric = registry.getSingleMetric(name)!
    return { name, type: metric.constructor.name.toLowerCase(), labelNames }
  })
}

function expressionsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.json')) {
    return [...text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
      ([, json]) => JSON.parse(json!) as string,
    )
  }
  return text
    .split(/^ {8}expr: /m)
    .slice(1)
    .map((rest) => rest.split(/^ {8}\w/m)[0]!)
}

/** Lists the metrics in an expression with their label selectors, and whether they are read as counters. */
function metricsIn(expression: string) {
  const selectors = expression.matchAll(
    /(?<name>\b(?:pis|process|nodejs)_\w+|\bup\b)(?:\{(?<labels>[^}]*)\})?(?<range>\[)?/g,
  )
  return [...selectors].map(({ groups }) => ({
    name: groups!.name!,
    labels: [...(groups!.labels ?? '').matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label]) => label!),
    isRange: groups!.range !== undefined,
  }))
}

const FILES = ['ops/grafana/dashboard.json', 'ops/prometheus/alerts.yml']

describe.each(FILES)('%s', (file) => {
  it('reads only exported metrics and labels, according to their type', () => {
    const expressions = expressionsOf(file)
    expect(expressions.length).toBeGreaterThan(8)
    for (const expression of expressions) {
      const metrics = metricsIn(expression)
      expect(metrics).not.toEqual([])
      const known = new Set<string>()
      for (const { name, labels, isRange } of metrics) {
        const metric = exported.get(name)
        expect([name, metric?.type]).toEqual([name, expect.any(String)])
        for (const label of labels) expect([name, ...metric!.labels]).toContain(label)
        expect([name, isRange]).toEqual([name, metric!.type !== 'gauge'])
        metric!.labels.forEach((label) => known.add(label))
      }
      for (const [, by] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
        for (const label of by!.split(/,\s*/)) expect([...known]).toContain(label)
      }
    }
  })
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const describeWithPromtool = hasPromtool ? describe : describe.skip

describeWithPromtool('the alert rules', () => {
  it('are accepted by promtool', () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', FILES[1]!], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, expect.any(String)])
  })
})
