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
 * One that takes its time in this process.
 * @param {string} name
 * @param {(photos: number) => Promise<void>} analyze
 * @param {() => Promise<unknown>} close
 * @returns {Contender}
 */
export function contender(name, analyze, close) {
  return {
    name,
    analyze: async (photos, runs) => {
      const startedAt = performance.now()
      for (let index = 0; index < runs; index++) await analyze(photos)
      return (performance.now() - startedAt) / 1_000
    },
    one: () => analyze(1),
    close,
  }
}
