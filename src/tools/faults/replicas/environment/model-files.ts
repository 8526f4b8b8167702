/** While this file is in the data folder of a replica, its language model does not answer. */
export const HOLD_FILE = 'hold'
/** Has a line for each text that the language model of a replica was asked for: the mark of the profile. */
export const EXECUTIONS_FILE = 'executions'

/** Begins every bio that the scenarios send. */
export function markedBio(mark: number): string {
  return `Walker number ${mark}, with a dog and a kettle.`
}

export const MARK = /Walker number (\d+),/
