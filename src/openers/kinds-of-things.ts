import things from './things.json' with { type: 'json' }

/** The category of a thing: it decides which templates can mention the thing. */
export type KindOfThing = keyof typeof things | 'thing'

const kinds = new Map<string, Set<KindOfThing>>()
for (const kind of Object.keys(things) as (keyof typeof things)[]) {
  for (const noun of things[kind].split(' ')) {
    kinds.set(noun, (kinds.get(noun) ?? new Set()).add(kind))
  }
}

/** Singular nouns that end in "-s", and plural nouns that do not. */
const SINGULAR = /(?:ss|us|is|ics|thermos|pilates|canvas|lens|atlas|christmas|news|series)$/i
const PLURAL = /\b(?:\w*children|people|(?:\w*wo)?men|feet|cattle|sheep|oxen|skis|taxis|dice)$/i

/**
 * Kinds of a thing by the last two words of its main noun, else by the last word, in singular or plural. Unknown words
 * in "-ing" are activities, all others are things.
 */
export function kindsOfThing(name: string): ReadonlySet<KindOfThing> {
  const words = mainNoun(name).toLowerCase().split(/\s+/)
  const last = words.at(-1) ?? ''
  const lastTwo = words.slice(-2).join('_')
  const known = [lastTwo, last].flatMap(listForms).find((form) => kinds.has(form))
  const found = known === undefined ? undefined : kinds.get(known)
  return found ?? new Set([last.endsWith('ing') ? 'activity' : 'thing'])
}

/** Whether the main noun of a name is plural. */
export function isPlural(name: string): boolean {
  const noun = mainNoun(name)
  return PLURAL.test(noun) || (/s$/i.test(noun) && !SINGULAR.test(noun))
}

/** The name without trailing modifiers: "boy" of "boy with football", but all of "cup of tea". */
function mainNoun(name: string): string {
  return name.split(/\s(?:with|at|in|on|for)\s/i)[0] ?? name
}

function listForms(noun: string): string[] {
  return [noun, noun.replace(/ies$/, 'y'), noun.replace(/es$/, ''), noun.replace(/s$/, '')]
}
