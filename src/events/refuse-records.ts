import { ServiceError } from '../core/service-error.js'

const MAX_REPORTED_ISSUES = 5

/** What is wrong with one record of a batch. Never quotes the record. */
export interface RecordProblem {
  /** Index of the record in the batch, from 0. */
  index: number
  field: string
  message: string
}

/** @throws ServiceError `invalid_request` that names index and field of the first problems, if there are any */
export function refuseRecords(problems: readonly RecordProblem[]): void {
  if (problems.length === 0) return
  const reported = problems
    .slice(0, MAX_REPORTED_ISSUES)
    .map(({ index, field, message }) => `[${index}].${field}: ${message}`)
  const more = problems.length - reported.length
  throw new ServiceError(
    'invalid_request',
    reported.join('; ') + (more > 0 ? `; and ${more} more` : ''),
  )
}
