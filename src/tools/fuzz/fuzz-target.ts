import type { Arbitrary } from 'fast-check'
import type { FuzzedService } from './service/fuzzed-service.js'

/** Whether an input was refused without being paid for, or led to work that a partner asks for. */
export type Outcome = 'refused' | 'answered'

/** Most processor time that one input may use, in milliseconds, in all processes that work on it. */
export type Ceilings = Readonly<Record<Outcome, number>>

/** A target that is ready for inputs. */
export interface OpenTarget<Input> {
  inputs: Arbitrary<Input>
  ceilings: Ceilings
  /** Processor time used so far by everything that works on inputs, in milliseconds. */
  readCpuMs: () => number
  /**
   * Sends one input and judges the outcome.
   * @throws Finding
   */
  attempt: (input: Input) => Promise<Outcome>
  /** How an input is written to a file; default: JSON. */
  describe?: (input: Input) => string
  close?: () => Promise<void>
}

export interface FuzzResources {
  /** Starts the service on first use. */
  service: () => Promise<FuzzedService>
}

/** Something that takes input from strangers. */
export interface FuzzTarget {
  name: string
  /** @throws Finding when the target fails on a harmless input */
  run: (resources: FuzzResources, options: RunOptions) => Promise<TargetResult>
}

export interface RunOptions {
  seconds: number
  seed: number
  /** Where in the sequence of a seed to begin, as a finding's file says. */
  path?: string | undefined
  /** Folder for the inputs of findings. */
  folder: string
  /** Reports a finding at once. */
  print: (line: string) => void
}

export interface TargetResult {
  target: string
  inputs: number
  answered: number
  /** Files with the smallest inputs that were found. */
  findings: string[]
  /** Longest processor time of an input, in milliseconds, by outcome. */
  worstCpuMs: Record<Outcome, number>
  /** Longest wall-clock time of an input, in milliseconds. */
  worstMs: number
}
