import { createFairBudget, type FairBudget } from '../metering/fair-budget.js'

/**
 * The budget of request bodies. They count until their calls end, the time in a queue included, by their size after
 * decompression; while a body is parsed, memory holds its text and its values as well.
 * @param limitBytes - at least twice the size of the largest permitted body, since one tenant may hold half
 */
export function createBodyBudget(limitBytes: number): FairBudget {
  return createFairBudget(
    limitBytes,
    'The service is reading too many large requests. Retry later.',
  )
}
