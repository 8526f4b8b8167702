import general from './general-tags.json' with { type: 'json' }
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

/** The tags that the tagger compares photos with. */
export const TAG_VOCABULARY: readonly TagDefinition[] = vocabulary

/** What several tags have in common: whichever breed it is, the photo shows a dog. */
export interface GeneralTag extends TagDefinition {
  /** Tags of `TAG_VOCABULARY`. */
  covers: readonly string[]
}

/** They have no captions: a caption of "a dog" is near to everything that shows one, and takes from the tags that say more. */
export const GENERAL_TAGS: readonly GeneralTag[] = general.map((tag) => ({ ...tag, prompts: [] }))

/** Every tag that a photo can get. */
export const KNOWN_TAGS: readonly TagDefinition[] = [...TAG_VOCABULARY, ...GENERAL_TAGS]

/** Names of what photos with these tags show: each tag, and the general ones that cover it. */
export function nameElements(tags: readonly string[]): string[] {
  const covering = GENERAL_TAGS.filter(({ covers }) => tags.some((tag) => covers.includes(tag)))
  return [...new Set([...tags, ...covering.map(({ tag }) => tag)])]
}

/** Every interest of the vocabulary, once. */
export const KNOWN_INTERESTS: readonly string[] = [
  ...new Set(TAG_VOCABULARY.flatMap((definition) => definition.interests)),
]
