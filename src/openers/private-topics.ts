import { contentStems } from '../text/words.js'

/** Topics that people may mention in their bio, but a stranger should not open with: children, losses, health. */
const PRIVATE: ReadonlySet<string> = contentStems(`
  kid kids child children toddler baby daughter daughters son sons stepson stepdaughter custody pregnant
  accident crash injury injured surgery operation cancer chemo illness disease diagnosis diabetes
  depression anxiety therapy therapist rehab sober sobriety addiction disability
  death died dead grief grieving funeral widow widower widowed divorce divorced
  marriage marriages married husband wife ex exes
  breakup heartbreak debt bankrupt prison asylum abuse trauma
`)

export function isPrivate(stem: string): boolean {
  return PRIVATE.has(stem)
}
