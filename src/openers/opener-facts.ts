import { findInterestsInBio } from '../profile/bio-interests.js'
import { withoutInstructions } from '../safety/instructions-to-models.js'
import type { PhraseSafety } from '../safety/phrase-safety.js'
import { clip, oneLine } from '../text/one-line.js'
import { takeEntries } from '../text/take-entries.js'
import { familyStems } from '../text/word-families.js'
import { contentStems } from '../text/words.js'
import type { OpenersRequest } from './openers-contract.js'
import { isPrivate } from './private-topics.js'

/** What is known of the two people. */
export interface KnownFacts {
  senderName: string
  bio: string
  /** Names of what was recognised in the recipient's photos. */
  photoElements: readonly string[]
  /** The recipient's interests. */
  likes: readonly string[]
  /** The sender's interests and lifestyle. */
  senderLikes: readonly string[]
  /** What both have, in the sender's words. */
  commonGround: readonly string[]
  /** The part of it that are interests, for "I like … too". */
  sharedInterests: readonly string[]
}

/** What is known of the two people when an opener is written and judged. */
export interface OpenerFacts extends KnownFacts {
  /** The recipient's interests that are new to the sender: who swims asks for no first lesson in swimming. */
  unfamiliar: readonly string[]
  /**
   * Stems of all that an opener may speak of; who is a climber may be asked about climbing, and nobody is asked about
   * losses.
   */
  stems: ReadonlySet<string>
}

/** Enough for any bio a person writes; more only slows the prompt. */
const PROMPT_BIO_CHARACTERS = 600
const MAX_PHOTO_ELEMENTS = 6
const MAX_LIKES = 10

export interface SeenInPhotos {
  elements: readonly string[]
  interests: readonly string[]
}

export function gatherFacts(
  { sender, recipient }: OpenersRequest,
  seen: SeenInPhotos,
  isSafePhrase: PhraseSafety,
): OpenerFacts {
  const bio = clip(oneLine(withoutInstructions(recipient.bio)), PROMPT_BIO_CHARACTERS)
  const likes = [...new Set([...findInterestsInBio(bio), ...seen.interests])].slice(0, MAX_LIKES)
  const photoElements = [...new Set(seen.elements)].slice(0, MAX_PHOTO_ELEMENTS)
  const { interests = [], lifestyle = [] } = sender.preferences ?? {}
  const senderLikes = takeEntries([...interests, ...lifestyle], {
    limit: MAX_LIKES,
    tidy: oneLine,
    passes: (entry) => isSafePhrase(oneLine(entry)),
  })
  const commonGround = findCommonGround(senderLikes, [...likes, ...photoElements, bio])
  const own = new Set(interests.map(oneLine))
  return completeFacts({
    senderName: oneLine(sender.name),
    bio,
    photoElements,
    likes,
    senderLikes,
    commonGround,
    sharedInterests: commonGround.filter((entry) => own.has(entry)),
  })
}

/** Adds what follows from the facts and is asked for with every candidate. */
export function completeFacts(known: KnownFacts): OpenerFacts {
  const { bio, photoElements, likes, senderLikes } = known
  const sender = familyStems(senderLikes.join(' . '))
  const recipient = familyStems([bio, ...photoElements, ...likes].join(' . '))
  return {
    ...known,
    unfamiliar: likes.filter((like) => ![...contentStems(like)].some((stem) => sender.has(stem))),
    stems: new Set([...recipient].filter((stem) => !isPrivate(stem))),
  }
}

/** What the sender likes that the recipient's profile names too. */
function findCommonGround(senderLikes: readonly string[], profile: readonly string[]): string[] {
  const known = contentStems(profile.join(' . '))
  return senderLikes.filter((like) => {
    const stems = [...contentStems(like)]
    return stems.length > 0 && stems.every((stem) => known.has(stem))
  })
}
