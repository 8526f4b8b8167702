import os from 'node:os'
import path from 'node:path'
import { projectDir } from '../../prepare.js'
import { knownPhoto } from '../profiles.js'

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {(photos: number, runs: number) => Promise<number>} analyze seconds for some runs with so many photos each
 * @property {() => Promise<void>} [one] analyses one photo, for open load
 * @property {() => Promise<unknown>} close
 */

export const threads = os.availableParallelism()

export const SAFETY_MODEL = path.join(projectDir, 'models', 'open-nsfw', 'open-nsfw.onnx')

const files = Array.from({ length: 6 }, (_, index) =>
  Buffer.from(knownPhoto(index).split(',')[1] ?? '', 'base64'),
)

/** So many bundled photos as files. */
export function photoFiles(/** @type {number} */ count) {
  return Array.from({ length: count }, (_, index) => files[index % files.length])
}

/**
 * One that takes its time in this process. What it is given is made before the time begins: it is the sender's work.
 * @template T
 * @param {string} name
 * @param {object} parts
 * @param {(photos: number) => T} parts.prepare what is analysed in one go
 * @param {(prepared: T) => Promise<void>} parts.analyze
 * @param {() => Promise<unknown>} [parts.close]
 * @returns {Contender}
 */
export function contender(name, { prepare, analyze, close = async () => {} }) {
  return {
    name,
    analyze: async (photos, runs) => {
      const prepared = Array.from({ length: runs }, () => prepare(photos))
      const startedAt = performance.now()
      for (const each of prepared) await analyze(each)
      return (performance.now() - startedAt) / 1_000
    },
    one: () => analyze(prepare(1)),
    close,
  }
}
