import path from 'node:path'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { knownPhoto } from '../example-calls.js'

/** A runtime that analyses photos. */
export interface VisionContender {
  name: string
  /** Returns the seconds for all runs. */
  analyze: (photosPerRun: number, runs: number) => Promise<number>
  /** Analyses one photo, for open load. */
  analyzeOne?: () => Promise<void>
  close: () => Promise<unknown>
}

/** How a contender that is timed in this process analyses photos. */
export interface VisionRuntime<Input> {
  /** Creates the input of one run; not timed, because it is the client's work. */
  prepare: (photos: number) => Input
  analyze: (input: Input) => Promise<void>
  close?: () => Promise<unknown>
}

export const SAFETY_MODEL = path.join(PROJECT_FOLDER, 'models', 'open-nsfw', 'open-nsfw.onnx')

const files = Array.from({ length: 6 }, (_, index) =>
  Buffer.from(knownPhoto(index).split(',')[1]!, 'base64'),
)

/** Bundled photos as files. */
export function takePhotoFiles(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => files[index % files.length]!)
}

export function createContender<Input>(
  name: string,
  { prepare, analyze, close = () => Promise.resolve() }: VisionRuntime<Input>,
): VisionContender {
  return {
    name,
    analyze: async (photosPerRun, runs) => {
      const inputs = Array.from({ length: runs }, () => prepare(photosPerRun))
      const startedAt = performance.now()
      for (const input of inputs) await analyze(input)
      return (performance.now() - startedAt) / 1_000
    },
    analyzeOne: () => analyze(prepare(1)),
    close,
  }
}
