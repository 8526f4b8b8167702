import { TAG_VOCABULARY } from '../../dist/profile/tag-vocabulary.js'

/**
 * Photos of which only the tags are known. A reference `https://photos.invalid/<tag>` stands for a photo in which the
 * tagger finds just that tag, or nothing where the tag is empty; other references go the way of every photo.
 */

const HOST = 'https://photos.invalid/'
const MAX_PHOTOS = 10

const definitions = new Map(TAG_VOCABULARY.map((definition) => [definition.tag, definition]))

/** References for the photos of a profile; one without tags has a photo that shows nothing. */
export function photoReferences(/** @type {readonly string[]} */ tags) {
  const known = tags.length > 0 ? tags.slice(0, MAX_PHOTOS) : ['']
  return known.map((tag) => HOST + encodeURIComponent(tag.trim()))
}

/**
 * The context with photos by tag. Their embeddings are zero, so that no two look alike.
 * @param {import('../../dist/context.js').AppContext} context
 * @returns {import('../../dist/context.js').AppContext}
 */
export function withTaggedPhotos(context) {
  /** @type {WeakMap<Float32Array, string>} */
  const tagOf = new WeakMap()

  function standIn(/** @type {string} */ reference) {
    const embedding = new Float32Array(1)
    tagOf.set(embedding, decodeURIComponent(reference.slice(HOST.length)))
    return { embedding, nsfw: 0 }
  }

  return {
    ...context,
    photos: {
      async analyze(references, label, call) {
        const isStandIn = (/** @type {string} */ reference) => reference.startsWith(HOST)
        if (!references.every(isStandIn)) return context.photos.analyze(references, label, call)
        return references.map(standIn)
      },
    },
    async photoTagger() {
      const tagger = await context.photoTagger()
      return {
        rank(embedding) {
          const tag = tagOf.get(embedding)
          if (tag === undefined) return tagger.rank(embedding)
          return tag === ''
            ? []
            : [{ definition: definitionOf(tag), probability: 1, isAsserted: true }]
        },
      }
    },
  }
}

/** A tag that the vocabulary lacks tells nothing but itself. */
function definitionOf(/** @type {string} */ tag) {
  return definitions.get(tag) ?? { tag, group: 'other', prompts: [], interests: [], lifestyle: [] }
}
