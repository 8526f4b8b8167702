import { foldNumber, plainName } from '../../text/plain-name.js'
import type { EntryReasons } from './reason-schema.js'

/** Something that two people can have in common, with what was written about it. */
export interface ReasonEntry {
  /** Place of its last line in the files: the later, the rarer. */
  place: number
  reasons: string[]
}

/** How names are compared: people write interests and ways of living, the service has tags and labels. */
export type NameKind = 'written' | 'exact'

/** Entries of one category by their names. */
export class EntryIndex {
  readonly #keyOf: (name: string) => string
  readonly #byName = new Map<string, ReasonEntry>()
  /** Entries by a form that singular and plural share; more than one if they mean different things, as "church" and "churches". */
  readonly #byForm = new Map<string, Set<ReasonEntry>>()
  readonly #kind: NameKind

  constructor(kind: NameKind) {
    this.#kind = kind
    this.#keyOf = kind === 'exact' ? (name) => name : plainName
  }

  /** Adds a line; one with the name of an entry before it completes that entry. */
  add({ entry: name, also = [], reasons }: EntryReasons, place: number): void {
    const entry = this.#byName.get(this.#keyOf(name)) ?? { place, reasons: [] }
    entry.place = place
    entry.reasons.push(...reasons)
    for (const key of [name, ...also].map(this.#keyOf)) {
      if (key === '' || this.#byName.has(key)) continue
      this.#byName.set(key, entry)
      if (this.#kind === 'written') this.#addForm(foldNumber(key), entry)
    }
  }

  #addForm(form: string, entry: ReasonEntry): void {
    const known = this.#byForm.get(form) ?? new Set()
    this.#byForm.set(form, known.add(entry))
  }

  find(name: string): ReasonEntry | undefined {
    const key = this.#keyOf(name)
    const entry = this.#byName.get(key)
    if (entry || this.#kind === 'exact') return entry
    const [only, ...others] = this.#byForm.get(foldNumber(key)) ?? []
    return others.length === 0 ? only : undefined
  }
}
