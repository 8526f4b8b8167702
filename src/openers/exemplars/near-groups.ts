import { kindsOfThing, type KindOfThing } from '../kinds-of-things.js'
import { findEvidence } from './exemplar-conditions.js'
import type { PreparedGroup } from './exemplar-group.js'
import { interestKey, type ProfileIndex } from './profile-index.js'

/** A group whose exemplars show how to write about something like a profile. */
export interface NearGroup {
  group: PreparedGroup
  /** What its exemplars pick up, in plain words. */
  about: string
  /** 2: it is true for the profile; up to 1: the share of its subject that the profile has; 0: it speaks of something else. */
  nearness: number
}

interface Subject {
  text: string
  /** In [0, 1]. */
  nearness: number
}

// Chosen by hand.
const SAME_KIND = 0.5
const LIKED_BY_ONE = 0.6

/** Kinds that nearly everything or no first message is about. */
const VAGUE_KINDS: readonly KindOfThing[] = ['thing', 'person', 'body']

/** Keys of what a group speaks of. */
export function listSubjectKeys({ photos, bio, likes, shared }: PreparedGroup): string[] {
  const tags = photos.flat()
  return [
    ...tags.map((tag) => `photo ${tag}`),
    ...tags.flatMap(tellingKinds).map((kind) => `kind ${kind}`),
    ...bio.flatMap(({ any }) => any.map(({ stems }) => `bio ${stems[0]}`)),
    ...[...(likes ?? []), ...(shared ?? [])].map((interest) => `like ${interest}`),
  ]
}

/** Keys of what a profile has. */
export function listWantedKeys({ keys, photos, shared }: ProfileIndex): string[] {
  return [
    ...keys,
    ...[...photos].flatMap(tellingKinds).map((kind) => `kind ${kind}`),
    ...[...shared].map((interest) => `like ${interest}`),
  ]
}

/**
 * How near a group is to a profile; undefined for a group without a subject, which is for everybody.
 * @param profile - undefined: one that has nothing
 */
export function nearnessOf(group: PreparedGroup, profile?: ProfileIndex): NearGroup | undefined {
  const subjects = listSubjects(group, profile)
  if (subjects.length === 0) return undefined
  const sum = subjects.reduce((total, { nearness }) => total + nearness, 0)
  const share = sum / subjects.length
  const nearness = profile && share > 0 && findEvidence(group, profile) ? 2 : share
  return { group, about: subjects.map(({ text }) => text).join('. '), nearness }
}

function listSubjects(
  { photos, bio, when, means }: PreparedGroup,
  profile: ProfileIndex | undefined,
): Subject[] {
  const kinds = new Set([...(profile?.photos ?? [])].flatMap(tellingKinds))
  const ofPhotos = photos.map((tags): Subject => {
    const shown = tags.find((tag) => profile?.photos.has(tag))
    if (shown !== undefined)
      return { text: `A photo of the recipient shows: ${shown}`, nearness: 1 }
    const similar = tags.find((tag) => tellingKinds(tag).some((kind) => kinds.has(kind)))
    const nearness = similar === undefined ? 0 : SAME_KIND
    return { text: `A photo of the recipient shows: ${similar ?? tags[0]}`, nearness }
  })
  const ofBio = bio.map(({ any }): Subject => {
    const found = any.find(({ stems }) => stems.every((stem) => profile?.bio.stems.has(stem)))
    const term = (found ?? any[0])?.text
    const text = means === undefined ? `wrote about: ${term}` : means
    return { text: `The recipient ${text}`, nearness: found ? 1 : 0 }
  })
  const interests = [
    {
      label: 'The recipient likes',
      names: when.likes,
      known: [{ keys: profile?.likes, nearness: 1 }],
    },
    {
      label: 'Both like',
      names: when.shared,
      known: [
        { keys: profile?.shared, nearness: 1 },
        { keys: profile?.likes, nearness: LIKED_BY_ONE },
      ],
    },
  ]
  return [...ofPhotos, ...ofBio, ...interests.flatMap(nearestInterest)]
}

function nearestInterest({
  label,
  names,
  known,
}: {
  label: string
  names: readonly string[] | undefined
  known: readonly { keys: ReadonlySet<string> | undefined; nearness: number }[]
}): Subject[] {
  if (!names) return []
  for (const { keys, nearness } of known) {
    const found = names.find((name) => keys?.has(interestKey(name)))
    if (found !== undefined) return [{ text: `${label}: ${found}`, nearness }]
  }
  return [{ text: `${label}: ${names[0]}`, nearness: 0 }]
}

function tellingKinds(name: string): KindOfThing[] {
  return [...kindsOfThing(name)].filter((kind) => !VAGUE_KINDS.includes(kind))
}
