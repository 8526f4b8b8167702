import { readLineFiles, type PlacedLine } from '../../profile/read-line-files.js'
import { exemplarGroupSchema, type ExemplarGroup } from './exemplar-schema.js'

/**
 * Reads all groups of exemplars in the `.jsonl` files of a folder, in the order of the files' names.
 * @returns nothing if there is no such folder
 * @throws OperatorError naming file and line
 */
export function readExemplars(folder: string): ExemplarGroup[] {
  return readPlacedExemplars(folder).map(({ value }) => value)
}

/** The same, with the file of each group. */
export function readPlacedExemplars(folder: string): PlacedLine<ExemplarGroup>[] {
  return readLineFiles(folder, { title: 'Exemplars', schemaOf: () => exemplarGroupSchema })
}
