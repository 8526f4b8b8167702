import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { Command, Option } from 'commander'
import { formatTable } from '../bench/report/publish.js'
import { parseCount } from '../parse-count.js'
import { judgeService, MEMORY_CEILINGS_MB } from './judge-service.js'
import {
  startFuzzedService,
  type FuzzedService,
  type ServiceReport,
} from './service/fuzzed-service.js'
import type { TargetResult } from './fuzz-target.js'
import { FUZZ_TARGETS } from './targets/all-targets.js'

/** Sends generated inputs to everything that takes input from strangers; fails if one breaks a rule or a ceiling. */

const SECONDS = 60
/** The whole takes less than three minutes, start of the service included. Other checks run beside it. */
const SECONDS_IN_CI = 14

interface FuzzOptions {
  seconds: number
  ci?: boolean
  seed: number
  path?: string
  target?: string[]
  folder?: string
}

const options = new Command('fuzz')
  .description('Sends generated inputs to everything that takes input from strangers.')
  .option('--seconds <count>', 'seconds for each target', parseCount, SECONDS)
  .option('--ci', `short: ${SECONDS_IN_CI} seconds for each target`)
  .option('--seed <number>', 'repeats the inputs of a run', parseCount, newSeed())
  .option('--path <path>', 'repeats one input, as the file of a finding says')
  .addOption(
    new Option('--target <names...>', 'only these').choices(FUZZ_TARGETS.map(({ name }) => name)),
  )
  .option('--folder <folder>', 'where inputs of findings go; default: a new temporary folder')
  .parse()
  .opts<FuzzOptions>()

process.exitCode = (await fuzz(options)) ? 0 : 1

function newSeed(): number {
  return 1 + Math.floor(Math.random() * 1e8)
}

/** Returns whether nothing was found. */
async function fuzz({ seconds, ci = false, seed, path: position, target, folder }: FuzzOptions) {
  const chosen = FUZZ_TARGETS.filter(({ name }) => !target || target.includes(name))
  const outputFolder = folder ?? mkdtempSync(path.join(os.tmpdir(), 'profile-service-fuzz-'))
  console.log(`Seed ${seed}; inputs of findings go to ${outputFolder}`)
  let service: Promise<FuzzedService> | undefined
  const resources = { service: () => (service ??= startFuzzedService()) }
  const results: TargetResult[] = []
  let report: ServiceReport | undefined
  try {
    for (const one of chosen) {
      console.error(`▸ ${one.name} …`)
      results.push(
        await one.run(resources, {
          seconds: ci ? SECONDS_IN_CI : seconds,
          seed,
          path: position,
          folder: outputFolder,
          print: console.error,
        }),
      )
    }
  } finally {
    report = await (await service)?.close()
  }
  printResults(results)
  const problems = report === undefined ? [] : judgeService(report)
  if (report) printService(report)
  for (const problem of problems) console.log(`FOUND: ${problem}`)
  return problems.length === 0 && results.every(({ findings }) => findings.length === 0)
}

function printResults(results: readonly TargetResult[]): void {
  const rows = results.map(({ target, inputs, answered, findings, worstCpuMs, worstMs }) => ({
    target,
    inputs,
    answered,
    findings: findings.length,
    'refused for at most (CPU ms)': Math.round(worstCpuMs.refused),
    'answered for at most (CPU ms)': Math.round(worstCpuMs.answered),
    'slowest (ms)': Math.round(worstMs),
  }))
  console.log(`\n${formatTable(rows)}`)
  const files = results.flatMap(({ findings }) => findings)
  if (files.length > 0) console.log(`\nInputs of findings:\n${files.join('\n')}`)
}

function printService({ health, memory, workerFailures }: ServiceReport): void {
  const rows = memory.map(({ process: name, firstMb, middleMb, lastMb, peakMb }) => ({
    process: name,
    'at first (MB)': firstMb,
    'half-way (MB)': middleMb,
    'at last (MB)': lastMb,
    'peak (MB)': peakMb,
    'ceiling (MB)': MEMORY_CEILINGS_MB[name],
  }))
  const { polls, failures, p99Ms, maxMs } = health
  console.log(`\n${formatTable(rows)}\n`)
  console.log(
    `/healthz: ${polls} polls, ${failures} failed, p99 ${Math.round(p99Ms)} ms, longest ${Math.round(maxMs)} ms; worker failures: ${workerFailures}`,
  )
}
