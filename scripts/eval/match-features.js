import { startUpCall } from '../../dist/inference/call.js'
import { measureFeatures, measureLists } from '../../dist/match/features.js'
import { describePeople } from '../../dist/match/person.js'
import { measureTopics } from '../../dist/match/topic-fits.js'

/**
 * Both sides of each pair as the match sees them, with their labelled preferences.
 * @param {import('../../dist/context.js').AppContext} context
 * @param {readonly import('./read-profiles.js').Pair[]} pairs
 */
export async function describePairs(context, pairs) {
  const similarity = await context.textSimilarity()
  const facts = (/** @type {import('./read-profiles.js').Person} */ person) => ({
    bio: person.bio,
    interests: person.interests,
    lifestyle: person.lifestyle,
    photoTags: person.photos,
    photos: [],
  })
  const people = []
  for (const { sender, recipient } of pairs) {
    people.push(await describePeople([facts(sender), facts(recipient)], similarity, startUpCall()))
  }
  return people
}

/**
 * What the service measures of each pair with its labelled preferences, before anything is weighed: `features` what
 * categories are ranked by, `weighed` what the confidence is.
 * @param {import('../../dist/context.js').AppContext} context
 * @param {readonly import('./read-profiles.js').Pair[]} pairs
 */
export async function computeMatchFeatures(context, pairs) {
  const { standardizeCentered } = await context.textSimilarity()
  const closeness = await context.matchTopics()
  const space = await context.matchSpace()
  const people = await describePairs(context, pairs)
  return people.map(([a, b]) => {
    const fits = measureTopics(a, b, closeness)
    const features = measureFeatures(a, b, { fits, standardizeCentered })
    return {
      features,
      weighed: space ? measureLists(a, b, { standardizeCentered, space }) : features,
    }
  })
}
