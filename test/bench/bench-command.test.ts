import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'

const bench = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/bench.js', ...args], { encoding: 'utf8' })

describe('npm run bench', () => {
  it('lists the benchmarks', () => {
    const { status, stdout } = bench('--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/Usage: npm run bench --/)
    expect(stdout).toMatch(/^ {2}soak /m)
  }, 60_000)

  it.each([
    ['speed', 'speed'],
    ['growth --json report.json', 'too many arguments'],
    ['vision --rounds x', "'x'"],
    ['soak --minutes 0', "'0'"],
    ['overhead --rounds 2', '--rounds'],
    ['soak --profile', '--profile'],
    ['load --only matches', 'matches'],
    ['load --only match --only wrong-keys', 'wrong-keys'],
    ['fairness --only match', 'match'],
    ['calls --seconds 3', '--seconds'],
    ['fairness --seconds 0', "'0'"],
    ['agreement --events x', "'x'"],
    ['volume --replicas 2', '--replicas'],
    ['overhead --database mysql', 'mysql'],
  ])(
    'refuses "%s" before starting anything',
    (args, named) => {
      const { status, stdout, stderr } = bench(...args.split(' '))
      expect(status).toBe(2)
      expect(stdout).toBe('')
      expect(stderr).toContain(named)
      expect(stderr).not.toMatch(/\bat .*\.js:\d/)
    },
    60_000,
  )
})
