import { describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { describeMachine } from '../../src/tools/describe-machine.js'
import { replaceTable } from '../../src/tools/faults/report/reliability-page.js'

const PAGE = readFileSync('docs/reliability.md', 'utf8')
const ROW = {
  fault: 'A fault of the test',
  injection: '',
  partners: '',
  operator: '',
  recovery: 'by itself',
  acknowledged: 5,
  lost: 0,
  deviations: [],
}
const RUN = { rows: [ROW], machine: describeMachine(), args: '--replicas', minutes: 1 }

describe('the page about reliability', () => {
  it('gets a new table of replicas, and nothing else', () => {
    const page = replaceTable(PAGE, 'replicas', RUN)
    expect(page).toContain('| A fault of the test |')
    const begin = PAGE.indexOf('<!-- table of replicas')
    expect(page.slice(0, begin)).toBe(PAGE.slice(0, begin))
    expect(page.endsWith(PAGE.slice(PAGE.indexOf('<!-- end of the table of replicas')))).toBe(true)
  })

  it('gets a new table of one host, and keeps that of replicas', () => {
    const page = replaceTable(PAGE, 'one host', RUN)
    expect(page).toContain('| A fault of the test |')
    expect(page.slice(page.indexOf('## Replicas'))).toBe(PAGE.slice(PAGE.indexOf('## Replicas')))
  })

  it('is left alone when it has no place for the table', () => {
    expect(() => replaceTable('# Reliability', 'replicas', RUN)).toThrow('has no table')
  })
})
