import type { AppContext } from '../../context.js'
import type { LoadedPhoto } from '../../photos/load-photos.js'
import type { PhotoReference } from '../../photos/photo-reference.js'
import { KNOWN_TAGS, type TagDefinition } from '../../profile/tag-vocabulary.js'

/** Host of stand-ins for photos: `https://photos.invalid/<tag>` has exactly that tag, or none if the tag is empty. */
const STAND_IN_HOST = 'photos.invalid'
const MAX_PHOTOS = 10

const definitions = new Map(KNOWN_TAGS.map((definition) => [definition.tag, definition]))

/** References to stand-ins with the given tags; without tags, to one photo that shows nothing. */
export function photoReferences(tags: readonly string[]): string[] {
  const shown = tags.length > 0 ? tags.slice(0, MAX_PHOTOS) : ['']
  return shown.map((tag) => `https://${STAND_IN_HOST}/${encodeURIComponent(tag.trim())}`)
}

/** The context with support for stand-ins. Their embeddings are zero, so that no two of them look alike. */
export function withTaggedPhotos(context: AppContext): AppContext {
  const tagOf = new WeakMap<Float32Array, string>()
  const loadedTag = new WeakMap<LoadedPhoto, string>()

  function loadStandIn(tag: string): LoadedPhoto {
    const photo = { bytes: new Uint8Array(), contentHash: '' }
    loadedTag.set(photo, tag)
    return photo
  }

  function analyzeStandIn(tag: string) {
    const embedding = new Float32Array(1)
    tagOf.set(embedding, tag)
    return { embedding, nsfw: 0 }
  }

  return {
    ...context,
    photos: {
      async load(references, call) {
        const isStandIn = ([, ofField]: [string, readonly PhotoReference[]]) =>
          ofField.every((reference) => standInTag(reference) !== undefined)
        const fields = Object.entries(references)
        const others = fields.filter((field) => !isStandIn(field))
        const loaded = await context.photos.load(Object.fromEntries(others), call)
        const standIns = fields.filter(isStandIn).map(([field, ofField]) => {
          const photos = ofField.map((reference) => loadStandIn(standInTag(reference)!))
          return [field, photos] as const
        })
        return new Map([...loaded, ...standIns])
      },
      async analyze(photos, field, call) {
        const tags = (photos.get(field) ?? []).map((photo) => loadedTag.get(photo))
        if (tags.includes(undefined)) return context.photos.analyze(photos, field, call)
        return tags.map((tag) => analyzeStandIn(tag!))
      },
    },
    async photoTagger() {
      const tagger = await context.photoTagger()
      return {
        rank(embedding) {
          const tag = tagOf.get(embedding)
          if (tag === undefined) return tagger.rank(embedding)
          if (tag === '') return []
          return [{ definition: definitionOf(tag), probability: 1, isAsserted: true }]
        },
      }
    },
  }
}

/** The tag of a stand-in; undefined for other photos. */
function standInTag(reference: PhotoReference): string | undefined {
  if (reference.kind !== 'remote' || reference.url.hostname !== STAND_IN_HOST) return undefined
  return decodeURIComponent(reference.url.pathname.slice(1))
}

/** A tag outside the vocabulary suggests no preferences. */
function definitionOf(tag: string): TagDefinition {
  return definitions.get(tag) ?? { tag, group: 'other', prompts: [], interests: [], lifestyle: [] }
}
