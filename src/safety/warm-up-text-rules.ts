import { commentsOnLooks } from './appearance.js'
import { assessText } from './text-safety.js'

/** V8 compiles an expression when it runs, again when it runs a second time, and apart for text beyond Latin-1. */
const TEXTS = ['Warm up with me, 2 days at the lake.', 'Warm up – “soon” 🙂']
const RUNS = 2

/** Takes the second and a half that compiling the rules costs before a request has to wait for it. */
export function warmUpTextRules(): void {
  for (const text of TEXTS) {
    for (let run = 0; run < RUNS; run++) {
      assessText(text, 'generated')
      commentsOnLooks(text)
    }
  }
}
