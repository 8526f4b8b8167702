import { mean } from '../../statistics/agreement.js'
import { bootstrapInterval, type Interval } from '../../statistics/bootstrap.js'
import { fleissKappa } from '../../statistics/fleiss-kappa.js'
import { groupRows } from '../../statistics/group-rows.js'
import type { ReadingKey, ReadingMessage } from './blind-reading.js'
import type { Grade, ReaderGrades } from './reader-grades.js'

/** A share in [0, 1] with its 95 % bootstrap interval over profiles; undefined for a single profile. */
export interface Share {
  value: number
  interval: Interval | undefined
}

/** How the messages of one source were judged, over all readers. */
export interface SourceScore {
  source: string
  messages: number
  sent: Share
  /** Would be sent, by reader, in the order of the readers. */
  sentByReader: number[]
  sensible: Share
  invents: Share
  /** Share of (profile, reader) whose best message is of this source. */
  best: Share
  /**
   * Share of (profile, reader) that grade this source higher than the one in question, ties counted half; by source.
   */
  preferredTo: Record<string, Share>
}

export interface ReadingScore {
  readers: string[]
  profiles: number
  /** The one that most would send first. */
  sources: SourceScore[]
  /** Fleiss' kappa of "would be sent" and of "makes sense"; NaN for a single reader. */
  agreement: { sent: number; sensible: number }
}

/** One message as one reader judged it. */
interface Judgement extends ReadingMessage {
  reader: number
  grade: Grade
  invents: boolean
  isBest: boolean
}

const POINTS: Record<Grade, number> = { S: 2, O: 1, X: 0 }

/**
 * Joins grades with the key.
 * @param seed - of the bootstrap
 */
export function scoreReading(
  { messages }: ReadingKey,
  readers: readonly ReaderGrades[],
  seed: number,
): ReadingScore {
  const judgements = readers.flatMap(({ judged, best }, reader) =>
    messages.map((message): Judgement => ({
      ...message,
      ...judged.get(message.number)!,
      reader,
      isBest: best.has(message.number),
    })),
  )
  const profiles = groupRows(judgements, ({ profile }) => profile)
  const names = [...new Set(messages.map(({ source }) => source))]
  const share = (compute: (rows: readonly Judgement[][]) => number): Share => ({
    value: compute(profiles),
    interval: bootstrapInterval(profiles, compute, seed),
  })
  const scoreSource = (source: string): SourceScore => {
    const portion = (holds: (judgement: Judgement) => boolean) =>
      share((rows) =>
        portionOf(
          rows.flat().filter((row) => row.source === source),
          holds,
        ),
      )
    return {
      source,
      messages: messages.filter((message) => message.source === source).length,
      sent: portion(isSent),
      sentByReader: readers.map((_, reader) =>
        portionOf(
          judgements.filter((row) => row.source === source && row.reader === reader),
          isSent,
        ),
      ),
      sensible: portion(({ grade }) => grade !== 'X'),
      invents: portion(({ invents }) => invents),
      best: share((rows) =>
        portionOf(
          rows.flat().filter(({ isBest }) => isBest),
          (row) => row.source === source,
        ),
      ),
      preferredTo: Object.fromEntries(
        names
          .filter((other) => other !== source)
          .map((other) => [other, share((rows) => preference(rows, source, other))]),
      ),
    }
  }
  const gradesOf = (holds: (grade: Grade) => boolean) =>
    messages.map(({ number }) => readers.map(({ judged }) => holds(judged.get(number)!.grade)))
  return {
    readers: readers.map(({ reader }) => reader),
    profiles: profiles.length,
    sources: names.map(scoreSource).sort((left, right) => right.sent.value - left.sent.value),
    agreement: {
      sent: fleissKappa(gradesOf((grade) => grade === 'S')),
      sensible: fleissKappa(gradesOf((grade) => grade !== 'X')),
    },
  }
}

function isSent({ grade }: Judgement): boolean {
  return grade === 'S'
}

/** NaN of nothing. */
function portionOf<Row>(rows: readonly Row[], holds: (row: Row) => boolean): number {
  return mean(rows.map((row) => Number(holds(row))))
}

/** Compares mean grades of two sources, for each profile and reader. */
function preference(profiles: readonly Judgement[][], source: string, other: string): number {
  const outcomes = profiles.flatMap((rows) =>
    groupRows(rows, ({ reader }) => reader).flatMap((ofReader) => {
      const points = (name: string) =>
        mean(ofReader.filter((row) => row.source === name).map(({ grade }) => POINTS[grade]))
      const difference = points(source) - points(other)
      return Number.isNaN(difference) ? [] : [(Math.sign(difference) + 1) / 2]
    }),
  )
  return mean(outcomes)
}
