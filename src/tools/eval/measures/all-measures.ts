import { match } from './match.js'
import type { Measure } from './measure.js'
import { openers } from './openers.js'
import { photoTags } from './photo-tags.js'
import { preferences } from './preferences.js'
import { reasons } from './reasons.js'
import { safety } from './safety.js'

/** Every measure, in the order of the report. */
export const MEASURES: readonly Measure[] = [
  preferences,
  photoTags,
  match,
  reasons,
  openers,
  safety,
]
