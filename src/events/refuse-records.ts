import { ServiceError } from '../core/service-error.js'

const MAX_PROBLEMS_TOLD = 5

/** What is wrong with one record of a batch; never repeats what the record contains. */
export interface RecordProblem {
  /** Place of the record in the batch, from 0. */
  index: number
  field: string
  message: string
}

/** @throws ServiceError `invalid_request` that names index and field of the first problems, when there are any */
export function refuseRecords(problems: readonly RecordProblem[]): void {
  if (problems.length === 0) return
  const told = problems
    .slice(0, MAX_PROBLEMS_TOLD)
    .map(({ index, field, message }) => `[${index}].${field}: ${message}`)
  const more = problems.length - told.length
  throw new ServiceError(
    'invalid_request',
    told.join('; ') + (more > 0 ? `; and ${more} more` : ''),
  )
}
