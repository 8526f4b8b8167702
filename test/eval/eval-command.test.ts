import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Metric } from '../../src/tools/eval/metrics.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'

const pairs = readFileSync('examples/evaluation/tuning.jsonl', 'utf8').split('\n')

describe('npm run eval', () => {
  let folder: string
  let environment: Record<string, string> = {}
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-eval-test-'))
  })
  afterEach(() => {
    environment = {}
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const evaluate = (lines: readonly string[], ...options: string[]) => {
    const file = path.join(folder, 'pairs.jsonl')
    writeFileSync(file, lines.join('\n'))
    const args = [
      'scripts/eval.js',
      '--profiles',
      file,
      '--out',
      path.join(folder, 'out'),
      ...options,
    ]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, LANGUAGE_THREADS: '1', ...environment },
    })
    return { status, stdout, stderr }
  }

  it('reports line and field of invalid pairs before it loads a model', () => {
    const first = JSON.parse(pairs[0]!) as { match: { confidence: number } }
    first.match.confidence = 1.5
    const { status, stderr } = evaluate([pairs[1]!, JSON.stringify(first), '', '{"half'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/line 2: match\.confidence/)
    expect(stderr).toMatch(/line 4: is not JSON/)
    expect(stderr).not.toMatch(/\bat .*\.js:\d/)
  }, 60_000)

  it('refuses unknown measures and incomplete pairs of packs', () => {
    expect(evaluate(pairs.slice(0, 1), '--only', 'beauty').stderr).toMatch(/no measure "beauty"/)
    expect(evaluate(pairs.slice(0, 1), '--packs', 'clip-lite').status).toBe(2)
  }, 60_000)

  it('runs the configured packs, also those set in an environment file', () => {
    environment.ENV_FILE = path.join(folder, 'settings.env')
    writeFileSync(environment.ENV_FILE, 'CLIP_PACK=a-pack-that-is-not-there\n')
    const { status, stderr } = evaluate(pairs.slice(0, 1), '--only', 'match')
    expect(status).toBe(1)
    expect(stderr).toContain('a-pack-that-is-not-there')
  }, 60_000)

  describeWithWeights('on the real models', MISSING_WEIGHTS, () => {
    it('measures the service and writes JSON and a page that loads nothing', () => {
      const unusual = JSON.parse(pairs[0]!) as { sender: { bio: string; photos: string[] } }
      unusual.sender = { ...unusual.sender, bio: ' ', photos: [] }
      const rows = [pairs[1]!, JSON.stringify(unusual)]
      const { status, stdout } = evaluate(rows, '--only', 'preferences,match,reasons,openers')
      expect(status).toBe(0)
      expect(stdout).toMatch(/Spearman correlation/)
      const text = (name: string) => readFileSync(path.join(folder, 'out', name), 'utf8')
      const report = JSON.parse(text('report.json')) as Report
      expect(report.data.pairs).toBe(2)
      const { measures } = report.runs[0]!
      const valueOf = (measure: string, metric: string) =>
        measures.find(({ name }) => name === measure)?.metrics.find(({ name }) => name === metric)
          ?.value
      expect(valueOf('match', 'symmetric')).toBe(1)
      expect(valueOf('match', 'answered')).toBe(0.5)
      // English sentences: it would be about 5 over the likeliest tokens only, and thousands for shuffled words.
      for (const metric of ['perplexity', 'first_perplexity', 'written_perplexity']) {
        expect(valueOf('openers', metric)).toBeGreaterThan(10)
        expect(valueOf('openers', metric)).toBeLessThan(500)
      }
      const outsideInterval = measures
        .flatMap(({ metrics }) => metrics)
        .filter(
          ({ value, interval }) =>
            value !== null && interval && (value < interval.low || value > interval.high),
        )
      expect(outsideInterval).toEqual([])
      expect(text('report.html')).toMatch(/<svg/)
      expect(text('report.html')).not.toMatch(/<script|(?:src|href)="https?:/)
    }, 120_000)

    it('refuses a pack that cannot compute perplexity before it requests openers', () => {
      const options = ['--only', 'openers', '--perplexity-by', 'clip-lite']
      const { status, stderr } = evaluate(pairs.slice(0, 1), ...options)
      expect(status).toBe(1)
      expect(stderr).toMatch(/"clip-lite" is a clip pack/)
      expect(stderr).not.toMatch(/to go/)
    }, 60_000)
  })
})

interface Report {
  data: { pairs: number }
  runs: { measures: { name: string; metrics: Metric[] }[] }[]
}
