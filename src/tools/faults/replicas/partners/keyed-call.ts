import { markedBio } from '../environment/model-files.js'

/** The first bytes of a JPEG file: the models of these scenarios decode nothing. */
const PHOTO = 'data:image/jpeg;base64,/9j/4AAQSkZJRg=='

/** A call of a partner, sent until its outcome is known. */
export interface KeyedCall {
  /** Distinguishes its profile from that of every other call. */
  mark: number
  idempotencyKey: string
  /** `refused`: the cap of the month was reached. Undefined while it is unknown. */
  outcome?: 'answered' | 'refused'
  /** JSON of the answer. */
  answer?: string
}

/** Creates calls with idempotency keys of their own. */
export function createKeyedCalls(count: number, random: () => number): KeyedCall[] {
  return Array.from({ length: count }, (_, mark) => ({
    mark,
    idempotencyKey: createUuid(random),
  }))
}

/** Body of the call. */
export function bodyOf({ mark }: Pick<KeyedCall, 'mark'>) {
  return { user: { id: `user-${mark}`, photos: [PHOTO], bio: markedBio(mark) } }
}

/** A UUID of version 4 from a repeatable source. */
export function createUuid(random: () => number): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () =>
    Math.floor(random() * 16).toString(16),
  )
}
