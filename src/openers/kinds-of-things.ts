import things from './things.json' with { type: 'json' }

/** What something is, as far as it matters for what one can say of it. */
export type KindOfThing = keyof typeof things | 'thing'

const kinds = new Map<string, Set<KindOfThing>>()
for (const kind of Object.keys(things) as (keyof typeof things)[]) {
  for (const noun of things[kind].split(' ')) {
    kinds.set(noun, (kinds.get(noun) ?? new Set()).add(kind))
  }
}

/** Endings in "-s" of one thing, and names of several without it. */
const ONE = /(?:ss|us|is|ics|thermos|pilates|canvas|lens|atlas|christmas|news|series)$/i
const SEVERAL = /\b(?:\w*children|people|(?:\w*wo)?men|feet|cattle|sheep|oxen|skis|taxis|dice)$/i

/**
 * The kinds that the last noun of a name tells, in singular or plural; the last two tell more than the last. Unknown
 * ones in "-ing" are activities, all others things.
 */
export function kindsOfThing(name: string): ReadonlySet<KindOfThing> {
  const words = mainNoun(name).toLowerCase().split(/\s+/)
  const last = words.at(-1) ?? ''
  const lastTwo = words.slice(-2).join('_')
  const known = [lastTwo, last].flatMap(listForms).find((form) => kinds.has(form))
  const found = known === undefined ? undefined : kinds.get(known)
  return found ?? new Set([last.endsWith('ing') ? 'activity' : 'thing'])
}

/** Whether a name is of several things, by its last noun. */
export function isPlural(name: string): boolean {
  const noun = mainNoun(name)
  return SEVERAL.test(noun) || (/s$/i.test(noun) && !ONE.test(noun))
}

/** "Boy" of "boy with football", yet "tea" of "cup of tea". */
function mainNoun(name: string): string {
  return name.split(/\s(?:with|at|in|on|for)\s/i)[0] ?? name
}

function listForms(noun: string): string[] {
  return [noun, noun.replace(/ies$/, 'y'), noun.replace(/es$/, ''), noun.replace(/s$/, '')]
}
