import things from './things.json' with { type: 'json' }

/** What something is, as far as it matters for what one can say of it. */
export type KindOfThing = keyof typeof things | 'thing'

const kinds = new Map(
  (Object.keys(things) as (keyof typeof things)[]).flatMap((kind) =>
    things[kind].split(' ').map((noun) => [noun, kind] as const),
  ),
)

/**
 * The kind that the last noun of a name tells, in singular or plural. Unknown ones in "-ing" are activities, all
 * others things.
 */
export function kindOfThing(name: string): KindOfThing {
  const noun = name.toLowerCase().split(/\s+/).at(-1) ?? ''
  const forms = [noun, noun.replace(/ies$/, 'y'), noun.replace(/es$/, ''), noun.replace(/s$/, '')]
  const known = forms.map((form) => kinds.get(form)).find((kind) => kind !== undefined)
  return known ?? (noun.endsWith('ing') ? 'activity' : 'thing')
}

/** Whether a name is of several things, by its last noun. */
export function isPlural(name: string): boolean {
  return /(?<![su])s$/i.test(name)
}
