import type { FuzzTarget } from '../fuzz-target.js'
import { bodies } from './bodies.js'
import { events } from './events.js'
import { framing } from './framing.js'
import { headers } from './headers.js'
import { photos } from './photos.js'
import { portalForms } from './portal-forms.js'
import { templates } from './templates.js'
import { textRules } from './text-rules.js'
import { tokenizers } from './tokenizers.js'

/** Everything that takes input from strangers. Those that run without the service come first. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  textRules,
  tokenizers,
  templates,
  bodies,
  headers,
  framing,
  events,
  portalForms,
  photos,
]
