import { commentsOnLooks } from './appearance.js'
import { assessText } from './text-safety.js'

/** V8 compiles an expression on its first and its second run, separately for Latin-1 and for other text. */
const TEXTS = ['Warm up with me, 2 days at the lake.', 'Warm up – “soon” 🙂']
const RUNS = 2

/** Compiles the rules in advance, which takes 1.5 seconds that a request would wait for. */
export function warmUpTextRules(): void {
  for (const text of TEXTS) {
    for (let run = 0; run < RUNS; run++) {
      assessText(text, 'generated')
      commentsOnLooks(text)
    }
  }
}
