import vocabulary from './photo-tags.json' with { type: 'json' }

/** Something that a photo can show, with the preferences it suggests. */
export interface TagDefinition {
  tag: string
  /** `neutral` tags say nothing about a person. */
  group: string
  /** Captions for the zero-shot tagger. */
  prompts: readonly string[]
  interests: readonly string[]
  lifestyle: readonly string[]
}

export const TAG_VOCABULARY: readonly TagDefinition[] = vocabulary

/** Every interest of the vocabulary, once. */
export const KNOWN_INTERESTS: readonly string[] = [
  ...new Set(TAG_VOCABULARY.flatMap((definition) => definition.interests)),
]
