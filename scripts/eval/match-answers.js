import { matchBody } from './request-bodies.js'

/** @typedef {import('./read-profiles.js').Pair} Pair */
/** @typedef {import('./service-under-test.js').Service} Service */
/** @typedef {{ pair: Pair, given: Answer, swapped: Answer, inferred: Answer }} MatchRow */
/** @typedef {Awaited<ReturnType<Service['post']>>} Answer */

/** @type {WeakMap<Service, Promise<MatchRow[]>>} */
const known = new WeakMap()

/**
 * What the service says about each pair: with the labelled preferences, the same with the two exchanged, and with
 * preferences it has to infer. Asked once, however many measures want it.
 * @param {import('./measures/all-measures.js').Task} task
 */
export function matchAnswers(task) {
  const answers = known.get(task.service) ?? ask(task)
  known.set(task.service, answers)
  return answers
}

/** @param {import('./measures/all-measures.js').Task} task */
async function ask({ service, pairs, progress }) {
  const evaluate = (/** @type {Parameters<typeof matchBody>} */ ...args) =>
    service.post('/v1/match/evaluate', matchBody(...args))
  /** @type {MatchRow[]} */
  const rows = []
  for (const pair of progress(pairs)) {
    const { sender, recipient } = pair
    const given = await evaluate(sender, recipient, { withPreferences: true })
    const swapped = await evaluate(recipient, sender, { withPreferences: true })
    const inferred = await evaluate(sender, recipient, { withPreferences: false })
    rows.push({ pair, given, swapped, inferred })
  }
  return rows
}
