import {
  CONDITIONAL_CALLS,
  FILE_CALLS,
  KERNEL_CALLS,
  numberOf,
  PROCESS_CALLS,
  SOCKET_CALLS,
  type FilteredProcessor,
} from './system-calls.js'

export interface SeccompFilterOptions {
  processor: FilteredProcessor
  /** The only process that may be signalled. */
  pid: number
  /**
   * Allows what drivers of GPUs need while models run: writing to existing files, which devices are, and sockets of this host.
   */
  usesGpu: boolean
}

/** Bytes of one `struct sock_filter`. */
const INSTRUCTION_BYTES = 8

/** Operations of classic BPF; `linux/bpf_common.h`. */
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06

/** Results of a filter; `linux/seccomp.h`. */
const ALLOW = 0x7fff_0000
const KILL_PROCESS = 0x8000_0000
const failWith = (errorNumber: number) => 0x0005_0000 | errorNumber
const EPERM = 1
const ENOSYS = 38

/** Offsets in `struct seccomp_data`; of an argument the lower half, on little-endian processors. */
const CALL_NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number) => 16 + 8 * index

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64`. */
const ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
/** Set in the numbers of the x32 interface, whose calls would pass a filter for x64. */
const X32 = 0x4000_0000

/** Flags of `open` that write, create or cut off a file: `O_WRONLY | O_RDWR`, `O_CREAT | O_TRUNC`, `__O_TMPFILE`. */
const WRITES = 0x3
const CREATES = 0o100 | 0o1000 | 0x40_0000
const CLONE_THREAD = 0x1_0000
const AF_UNIX = 1

/**
 * Commands of `fcntl` that lock files, or that choose which process a descriptor signals: `F_SETLK`, `F_SETLKW`, `F_SETOWN`, `F_SETSIG`,
 * `F_SETOWN_EX`, `F_OFD_SETLK`, `F_OFD_SETLKW`, `F_SETLEASE`, `F_NOTIFY`.
 */
const HARMFUL_FILE_CONTROLS = [6, 7, 8, 10, 15, 37, 38, 1024, 1026]
/** The same of `ioctl` (`FIOSETOWN`, `SIOCSPGRP`), and what types into the operator's terminal (`TIOCSTI`, `TIOCLINUX`). */
const HARMFUL_DEVICE_CONTROLS = [0x8901, 0x8902, 0x5412, 0x541c]

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

const load = (offset: number): Instruction => [LOAD, 0, 0, offset]
const finish = (result: number): Instruction => [RETURN, 0, 0, result]

/**
 * A seccomp program in the kernel's format, little-endian, that lets models compute and nothing else: no sockets, no changes of files,
 * no processes, no signals to others, no administration. What it refuses fails with EPERM, so that a library can report it. Other
 * calls stay allowed, since the set that JavaScript engines and drivers use changes with every release.
 */
export function buildSeccompFilter(options: SeccompFilterOptions): Buffer {
  const instructions = [
    ...checkArchitecture(options.processor),
    ...conditionalCalls(options),
    ...refusedCalls(options),
    finish(ALLOW),
  ]
  const program = Buffer.alloc(instructions.length * INSTRUCTION_BYTES)
  for (const [index, [code, ifTrue, ifFalse, operand]] of instructions.entries()) {
    const at = index * INSTRUCTION_BYTES
    program.writeUInt16LE(code, at)
    program.writeUInt8(ifTrue, at + 2)
    program.writeUInt8(ifFalse, at + 3)
    program.writeUInt32LE(operand >>> 0, at + 4)
  }
  return program
}

function checkArchitecture(processor: FilteredProcessor): Instruction[] {
  return [
    load(ARCHITECTURE),
    [JUMP_IF_EQUAL, 1, 0, ARCHITECTURES[processor]],
    finish(KILL_PROCESS),
    load(CALL_NUMBER),
    [JUMP_IF_ANY_BIT, 0, 1, X32],
    finish(failWith(EPERM)),
  ]
}

function conditionalCalls({ processor, pid, usesGpu }: SeccompFilterOptions): Instruction[] {
  const call = (name: keyof typeof CONDITIONAL_CALLS, body: Instruction[]) =>
    whenCalled(numberOf(CONDITIONAL_CALLS[name], processor), body)
  const openFlags = usesGpu ? CREATES : WRITES | CREATES
  return [
    ...call('open', refuseIfAnyBit(argument(1), openFlags)),
    ...call('openat', refuseIfAnyBit(argument(2), openFlags)),
    ...call('clone', refuseUnlessAnyBit(argument(0), CLONE_THREAD)),
    ...call('kill', refuseUnlessAny(argument(0), [pid])),
    ...call('tgkill', refuseUnlessAny(argument(0), [pid])),
    // Its own limits are those of pid 0. Another process of this user could be stopped by a limit.
    ...call('prlimit64', refuseUnlessAny(argument(0), [0, pid])),
    ...call('sched_setaffinity', refuseUnlessAny(argument(0), [0, pid])),
    ...call('fcntl', refuseIfAny(argument(1), HARMFUL_FILE_CONTROLS)),
    ...call('ioctl', refuseIfAny(argument(1), HARMFUL_DEVICE_CONTROLS)),
    // Their flags are behind a pointer. The C library falls back to `openat` and `clone`.
    ...call('openat2', [finish(failWith(ENOSYS))]),
    ...call('clone3', [finish(failWith(ENOSYS))]),
  ]
}

function refusedCalls({ processor, usesGpu }: SeccompFilterOptions): Instruction[] {
  const { socket, socketpair, connect, ...others } = SOCKET_CALLS
  const refuse = [finish(failWith(EPERM))]
  const always = { ...others, ...FILE_CALLS, ...PROCESS_CALLS, ...KERNEL_CALLS }
  const localOnly = usesGpu ? refuseUnlessAny(argument(0), [AF_UNIX]) : refuse
  return [
    ...[socket, socketpair].flatMap((numbers) =>
      whenCalled(numberOf(numbers, processor), localOnly),
    ),
    ...(usesGpu ? [] : whenCalled(numberOf(connect, processor), refuse)),
    ...Object.values(always).flatMap((numbers) => whenCalled(numberOf(numbers, processor), refuse)),
  ]
}

/** The body must return in every case, since it may load something else than the call's number. */
function whenCalled(number: number | undefined, body: Instruction[]): Instruction[] {
  if (number === undefined) return []
  return [[JUMP_IF_EQUAL, 0, body.length, number], ...body]
}

function refuseIfAnyBit(offset: number, bits: number): Instruction[] {
  return [load(offset), [JUMP_IF_ANY_BIT, 0, 1, bits], finish(failWith(EPERM)), finish(ALLOW)]
}

function refuseUnlessAnyBit(offset: number, bits: number): Instruction[] {
  return [load(offset), [JUMP_IF_ANY_BIT, 1, 0, bits], finish(failWith(EPERM)), finish(ALLOW)]
}

function refuseUnlessAny(offset: number, values: readonly number[]): Instruction[] {
  return [load(offset), ...whenAny(values, ALLOW), finish(failWith(EPERM))]
}

function refuseIfAny(offset: number, values: readonly number[]): Instruction[] {
  return [load(offset), ...whenAny(values, failWith(EPERM)), finish(ALLOW)]
}

function whenAny(values: readonly number[], result: number): Instruction[] {
  return values.flatMap((value) => [[JUMP_IF_EQUAL, 0, 1, value], finish(result)] as const)
}
