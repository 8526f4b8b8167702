import { startUpCall } from '../../dist/inference/call.js'
import { measureFeatures } from '../../dist/match/features.js'
import { describePeople } from '../../dist/match/person.js'
import { measureTopics } from '../../dist/match/topic-fits.js'

/**
 * What the service measures of each pair with its labelled preferences, before anything is weighed.
 * @param {import('../../dist/context.js').AppContext} context
 * @param {readonly import('./read-profiles.js').Pair[]} pairs
 */
export async function computeMatchFeatures(context, pairs) {
  const similarity = await context.textSimilarity()
  const { standardizeCentered } = similarity
  const closeness = await context.matchTopics()
  const facts = (/** @type {import('./read-profiles.js').Person} */ person) => ({
    bio: person.bio,
    interests: person.interests,
    lifestyle: person.lifestyle,
    photoTags: person.photos,
    photos: [],
  })
  const features = []
  for (const { sender, recipient } of pairs) {
    const [a, b] = await describePeople(
      [facts(sender), facts(recipient)],
      similarity,
      startUpCall(),
    )
    const fits = measureTopics(a, b, closeness)
    features.push(measureFeatures(a, b, { fits, standardizeCentered }))
  }
  return features
}
