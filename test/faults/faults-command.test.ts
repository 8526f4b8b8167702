import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'

const faults = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/faults.js', ...args], { encoding: 'utf8' })

describe('npm run faults', () => {
  it('lists the scenarios and marks those that CI runs', () => {
    const { status, stdout } = faults('--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^ {2}disk-full \*$/m)
    expect(stdout).toMatch(/^ {2}worker-hangs$/m)
    expect(stdout).toMatch(/^With --replicas:\n {2}quota-under-kills \*$/m)
  }, 60_000)

  it.each([
    ['--only earthquake', 'earthquake'],
    ['--replicas --only disk-full', 'disk-full'],
    ['--only quota-under-kills', 'quota-under-kills'],
    ['--kills none', "'none'"],
    ['everything', 'too many arguments'],
  ])(
    'refuses "%s" before starting anything',
    (args, named) => {
      const { status, stdout, stderr } = faults(...args.split(' '))
      expect(status).toBe(2)
      expect(stdout).toBe('')
      expect(stderr).toContain(named)
      expect(stderr).not.toMatch(/\bat .*\.js:\d/)
    },
    60_000,
  )
})
