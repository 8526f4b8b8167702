import { findInterestsInBio } from '../profile/bio-interests.js'
import { stripInstructions } from '../safety/strip-instructions.js'
import type { PhraseSafety } from '../safety/phrase-safety.js'
import { oneLine } from '../text/one-line.js'
import { truncate } from '../text/truncate.js'
import { takeEntries } from '../text/take-entries.js'
import { familyStems } from '../text/word-families.js'
import { contentStems } from '../text/words.js'
import type { OpenersRequest } from './openers-contract.js'
import { isPrivate } from './private-topics.js'

/** Facts about the two people, taken from the request and the photos. */
export interface KnownFacts {
  senderName: string
  bio: string
  /** Names of things recognised in the recipient's photos. */
  photoElements: readonly string[]
  /** The recipient's interests. */
  likes: readonly string[]
  /** The sender's interests and lifestyle. */
  senderLikes: readonly string[]
  /** Interests and lifestyle that both have, in the sender's words. */
  commonGround: readonly string[]
  /** The interests among `commonGround`, for "I like … too". */
  sharedInterests: readonly string[]
}

/** The facts and what follows from them: all that writing and checking an opener needs. */
export interface OpenerFacts extends KnownFacts {
  /** The recipient's interests that are new to the sender: a swimmer does not ask for a first swimming lesson. */
  unfamiliar: readonly string[]
  /**
   * Stems of everything in the recipient's profile that an opener may mention, with related words (climber: climbing)
   * and without private topics.
   */
  stems: ReadonlySet<string>
  /** Stems of the bio, with related words. */
  bioStems: ReadonlySet<string>
  photoStems: ReadonlySet<string>
  likeStems: ReadonlySet<string>
  commonStems: ReadonlySet<string>
}

/** Enough for any bio that a person writes; more only slows down the prompt. */
const PROMPT_BIO = { characters: 600, tokens: 300 }
const MAX_PHOTO_ELEMENTS = 6
const MAX_LIKES = 10

export interface SeenInPhotos {
  elements: readonly string[]
  interests: readonly string[]
}

/** Collects the facts of a request. Drops unsafe preferences of the sender and instructions to models in the bio. */
export function gatherFacts(
  { sender, recipient }: OpenersRequest,
  seen: SeenInPhotos,
  isSafePhrase: PhraseSafety,
): OpenerFacts {
  const bio = truncate(oneLine(stripInstructions(recipient.bio)), PROMPT_BIO)
  const likes = [...new Set([...findInterestsInBio(bio), ...seen.interests])].slice(0, MAX_LIKES)
  const photoElements = [...new Set(seen.elements)].slice(0, MAX_PHOTO_ELEMENTS)
  const { interests = [], lifestyle = [] } = sender.preferences ?? {}
  const senderLikes = takeEntries([...interests, ...lifestyle], {
    limit: MAX_LIKES,
    tidy: oneLine,
    passes: (entry) => isSafePhrase(oneLine(entry)),
  })
  const commonGround = findCommonGround(senderLikes, [...likes, ...photoElements, bio])
  const interestSet = new Set(interests.map(oneLine))
  return completeFacts({
    senderName: oneLine(sender.name),
    bio,
    photoElements,
    likes,
    senderLikes,
    commonGround,
    sharedInterests: commonGround.filter((entry) => interestSet.has(entry)),
  })
}

/** Derives once what every candidate needs. */
export function completeFacts(known: KnownFacts): OpenerFacts {
  const { bio, photoElements, likes, senderLikes, commonGround } = known
  const sender = familyStems(senderLikes.join(' . '))
  const bioStems = familyStems(bio)
  const recipient = [...bioStems, ...familyStems([...photoElements, ...likes].join(' . '))]
  return {
    ...known,
    unfamiliar: likes.filter((like) => ![...contentStems(like)].some((stem) => sender.has(stem))),
    stems: new Set(recipient.filter((stem) => !isPrivate(stem))),
    bioStems,
    photoStems: familyStems(photoElements.join(' . ')),
    likeStems: contentStems(likes.join(' . ')),
    commonStems: familyStems(commonGround.join(' . ')),
  }
}

/** Entries of the sender whose every stem occurs in the recipient's profile. */
function findCommonGround(senderLikes: readonly string[], profile: readonly string[]): string[] {
  const known = contentStems(profile.join(' . '))
  return senderLikes.filter((like) => {
    const stems = [...contentStems(like)]
    return stems.length > 0 && stems.every((stem) => known.has(stem))
  })
}
