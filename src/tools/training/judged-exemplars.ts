import path from 'node:path'
import { createTerms } from '../../openers/exemplars/bio-terms.js'
import { findEvidence, prepareConditions } from '../../openers/exemplars/exemplar-conditions.js'
import {
  extractLineFeatures,
  extractPlaceFeatures,
  type OddsFeatures,
  type ProfileFrequencies,
} from '../../openers/exemplars/exemplar-odds.js'
import type { ExemplarGroup } from '../../openers/exemplars/exemplar-schema.js'
import { indexProfile, type ProfileIndex } from '../../openers/exemplars/profile-index.js'
import { gatherFacts } from '../../openers/opener-facts.js'
import { KNOWN_TAGS, nameElements } from '../../profile/tag-vocabulary.js'
import { readProfiles, type Person } from '../eval/read-profiles.js'
import { readJsonLines } from '../read-json-lines.js'

export const JUDGEMENTS = 'exemplar-judgements.jsonl'
/** File of people for whom no line of the library was written before they were judged. */
const BIOS = 'bios'

/** A line of `exemplar-judgements.jsonl`: what readers said of the openers shown for one profile. */
interface JudgedProfile {
  pairs: string
  line: number
  /** Who of the pair would get the openers; missing: the recipient. */
  person?: 'sender'
  /** Who judged, as some readers are stricter; missing: the first readers. */
  reader?: string
  /** Nobody wrote lines for this person, and nobody narrowed conditions by what the reader found wrong. */
  fresh?: true
  /** Each text with a letter for each reader: S would be sent, O would rather not, X wrong for this person. */
  judgements: [text: string, grades: string][]
}

/** What a reader said of an exemplar for one person. */
export interface Judged {
  profile: string
  reader: string
  text: string
  /** Exemplars of one group speak of the same thing. */
  group: ExemplarGroup
  features: OddsFeatures
  /** Share of the readers who would send it. */
  sent: number
  /** Whether the library is as it was before anything was read for this person. */
  fresh: boolean
}

/**
 * What readers said of texts that the library has, for people for whom they hold; only of those that need something of the person.
 * @param folder - with `exemplar-judgements.jsonl` and the files that it names
 */
export function readJudged(
  folder: string,
  groups: readonly ExemplarGroup[],
  frequencies: ProfileFrequencies,
): Judged[] {
  const termOf = createTerms()
  const known = new Map(
    groups
      .filter(({ when }) => !when.always && !when.thin)
      .flatMap((group) => {
        const conditions = prepareConditions(group.when, termOf)
        return group.openers.map((opener) => {
          const features = extractLineFeatures(conditions, opener, frequencies)
          return [opener.text, { group, conditions, features }] as const
        })
      }),
  )
  const profiles = readJsonLines<JudgedProfile>(path.join(folder, JUDGEMENTS))
  const pairsOf = new Map(
    [...new Set(profiles.map(({ pairs }) => pairs))].map((file) => [
      file,
      readPeople(folder, file),
    ]),
  )
  return profiles.flatMap(({ pairs, line, person, reader = '', fresh = false, judgements }) => {
    const pair = pairsOf.get(pairs)![line - 1]!
    const index = indexPair(person ? exchange(pair) : pair)
    return judgements.flatMap(([text, grades]): Judged[] => {
      const exemplar = known.get(text)
      const evidence = exemplar && findEvidence(exemplar.conditions, index)
      if (!evidence) return []
      const { group } = exemplar
      const features = { ...exemplar.features, ...extractPlaceFeatures(evidence) }
      const sent = [...grades].filter((grade) => grade === 'S').length / grades.length
      return [
        {
          profile: `${pairs}:${line} ${person ?? 'recipient'}`,
          reader,
          text,
          group,
          features,
          sent,
          fresh,
        },
      ]
    })
  })
}

interface SenderAndRecipient {
  sender: Person
  recipient: Person
}

function exchange({ sender, recipient }: SenderAndRecipient): SenderAndRecipient {
  return { sender: recipient, recipient: sender }
}

/** The people of a file of labelled pairs, or of `bios.jsonl`, where nobody is the sender. */
function readPeople(folder: string, name: string): SenderAndRecipient[] {
  const file = path.join(folder, `${name}.jsonl`)
  if (name !== BIOS) return readProfiles(file).pairs
  const nobody: Person = { name: '', bio: '', photos: [], interests: [], lifestyle: [] }
  return readJsonLines<Pick<Person, 'bio' | 'photos'>>(file).map((person) => ({
    sender: nobody,
    recipient: { ...nobody, ...person },
  }))
}

/** The recipient's profile with what both have; the photos show what their labels name. */
export function indexPair({ sender, recipient }: SenderAndRecipient): ProfileIndex {
  const tags = KNOWN_TAGS.filter(({ tag }) => recipient.photos.includes(tag))
  const { name, interests, lifestyle } = sender
  const request = {
    sender: { id: 'sender', name, preferences: { interests, lifestyle } },
    recipient: { id: 'recipient', bio: recipient.bio, photos: [] },
    tone: 'playful' as const,
    count: 3,
  }
  const seen = {
    elements: nameElements(tags.map(({ tag }) => tag)),
    interests: tags.flatMap((tag) => tag.interests),
  }
  return indexProfile(gatherFacts(request, seen, () => true))
}
