import { readFileSync } from 'node:fs'
import os from 'node:os'
import { failed, ok, warning, type Finding } from '../check.js'

/** sharp's libvips is built for x86-64-v2. Source: https://sharp.pixelplumbing.com/install, "Prebuilt binaries" */
const NEEDED = ['sse4_2', 'popcnt']
/** ONNX Runtime and llama.cpp select their kernels by the available instructions. */
const FAST = ['avx2', 'fma']

/** Checks that the processor has the instructions that the native modules need. */
export function checkProcessor(facts = { arch: os.arch(), cpuInfo: readCpuInfo() }): Finding {
  const { arch, cpuInfo } = facts
  if (arch === 'arm64') return ok('arm64')
  if (arch !== 'x64') {
    return failed(`${arch} is not supported`, 'Use a machine with an x64 or arm64 processor.')
  }
  if (cpuInfo === undefined) return ok('x64; this system does not list its instructions')
  const flags = new Set(/^flags\s*:(?<flags>.*)$/m.exec(cpuInfo)?.groups?.flags?.split(' '))
  const lacks = (wanted: string[]) => wanted.filter((flag) => !flags.has(flag)).join(', ')
  if (lacks(NEEDED)) {
    return failed(
      `the processor lacks ${lacks(NEEDED)}`,
      'Use a processor from 2009 or later; for a virtual machine, set the CPU model to "host".',
    )
  }
  if (lacks(FAST)) {
    return warning(
      `the processor lacks ${lacks(FAST)}, so models run several times slower`,
      'Use a processor from 2013 or later; for a virtual machine, set the CPU model to "host".',
    )
  }
  return ok('x64 with AVX2')
}

function readCpuInfo(): string | undefined {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8')
  } catch {
    return undefined
  }
}
