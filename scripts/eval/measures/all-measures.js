import { match } from './match.js'
import { openers } from './openers.js'
import { preferences } from './preferences.js'
import { photoTags } from './photo-tags.js'
import { reasons } from './reasons.js'
import { safety } from './safety.js'

/**
 * What a measure works on.
 * @typedef {object} Task
 * @property {import('../service-under-test.js').Service} service
 * @property {import('../read-profiles.js').Pair[]} pairs
 * @property {number} seed
 * @property {string | undefined} photosDir - folder of photos, one sub-folder a tag
 * @property {string} perplexityBy - language pack that judges how usual openers are
 * @property {<T>(items: readonly T[]) => Iterable<T>} progress - tells how far a loop is
 */

/**
 * What a measure found.
 * @typedef {object} Findings
 * @property {import('../metrics.js').Metric[]} metrics
 * @property {import('../report/plots.js').Plot[]} plots
 * @property {{ title: string, columns: string[], rows: (string | number)[][] }[]} [tables]
 */

/** @type {readonly { name: string, title: string, about: string, run(task: Task): Promise<Findings> }[]} */
export const MEASURES = [preferences, photoTags, match, reasons, openers, safety]
