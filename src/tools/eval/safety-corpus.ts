import path from 'node:path'
import { PROJECT_FOLDER } from '../project-folder.js'
import { readJsonLines } from '../read-json-lines.js'

/** Reads a set of the safety corpus, such as `held-out`. */
export function readSafetyCorpus<T>(name: string): T[] {
  return readJsonLines(path.join(PROJECT_FOLDER, 'test', 'safety', 'corpus', `${name}.jsonl`))
}
