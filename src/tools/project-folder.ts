import { existsSync } from 'node:fs'
import path from 'node:path'

/** Root of the repository: the nearest folder above this file with a package.json, from src as well as from dist. */
export const PROJECT_FOLDER = findProjectFolder(import.meta.dirname)
/** The openers written by hand that come with the project. */
export const EXEMPLARS_FOLDER = path.join(PROJECT_FOLDER, 'models', 'opener-exemplars')

function findProjectFolder(folder: string): string {
  if (existsSync(path.join(folder, 'package.json'))) return folder
  const parent = path.dirname(folder)
  if (parent === folder) throw new Error(`No package.json above ${import.meta.dirname}`)
  return findProjectFolder(parent)
}
