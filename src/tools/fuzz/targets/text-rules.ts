import { listBioParts } from '../../../safety/bio-parts.js'
import { commentsOnLooks } from '../../../safety/appearance.js'
import { stripInstructions } from '../../../safety/strip-instructions.js'
import { foldText } from '../../../safety/text-rules/folded-text.js'
import { assessText } from '../../../safety/text-safety.js'
import { findInterestsInBio } from '../../../profile/bio-interests.js'
import { bioSchema } from '../../../profile/profile-fields.js'
import { oneLine } from '../../../text/one-line.js'
import { truncate } from '../../../text/truncate.js'
import { familyStems } from '../../../text/word-families.js'
import { Finding } from '../finding.js'
import { oddText } from '../inputs/odd-text.js'
import { readOwnCpuMs } from '../read-own-cpu.js'
import { createTarget } from '../run-target.js'

/** Longest bio, in UTF-16 units. */
const MAX_BIO = 5_000
/** The budget of an unpaid refusal. */
const MAX_RULE_MS = 50
/**
 * Processor time counts compilation and garbage collection, and grows while neighbours use the same core or cache,
 * which may last a second. A rule that is slow by itself is slow every time.
 */
const ATTEMPTS = 16

/** Everything that reads the text of a bio on the server's own thread. */
const RULES: Record<string, (bio: string) => unknown> = {
  foldText,
  'assessText of a bio': (bio) => assessText(bio),
  'assessText of generated text': (bio) => assessText(bio, 'generated'),
  commentsOnLooks,
  stripInstructions,
  listBioParts,
  findInterestsInBio,
  familyStems,
  oneLine,
  truncate: (bio) => truncate(bio, { characters: MAX_BIO / 2, tokens: MAX_BIO }),
}

/** The time that each text rule takes on the server's event loop. */
export const textRules = createTarget<string>('text-rules', async () => {
  let spentMs = 0
  return {
    inputs: oddText(MAX_BIO),
    ceilings: { refused: MAX_RULE_MS, answered: MAX_RULE_MS * Object.keys(RULES).length },
    readCpuMs: () => spentMs,
    attempt: async (bio) => {
      if (!bioSchema.safeParse(bio).success) return 'refused'
      for (const [name, rule] of Object.entries(RULES)) {
        const ms = fastest(() => rule(bio))
        if (ms > MAX_RULE_MS) throw new Finding(`${name} takes ${Math.round(ms)} ms`)
        spentMs += ms
      }
      return 'answered'
    },
  }
})

/** Processor time of the fastest attempt, repeated only while it is above the ceiling. */
function fastest(run: () => unknown): number {
  let best = Infinity
  for (let attempt = 0; attempt < ATTEMPTS && best > MAX_RULE_MS; attempt++) {
    const before = readOwnCpuMs()
    run()
    best = Math.min(best, readOwnCpuMs() - before)
  }
  return best
}
