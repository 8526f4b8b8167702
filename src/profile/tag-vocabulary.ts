import vocabulary from './photo-tags.json' with { type: 'json' }

/** Something a photo can show, with what it says about the person who posts it. */
export interface TagDefinition {
  tag: string
  /** Kind of thing; `neutral` tags say nothing about a person. */
  group: string
  /** Captions of photos that show it. */
  prompts: readonly string[]
  interests: readonly string[]
  lifestyle: readonly string[]
}

export const TAG_VOCABULARY: readonly TagDefinition[] = vocabulary

/** Every interest the vocabulary knows, once. */
export const KNOWN_INTERESTS: readonly string[] = [
  ...new Set(TAG_VOCABULARY.flatMap((definition) => definition.interests)),
]
