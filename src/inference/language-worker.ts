import type { LanguageSettings } from './language-settings.js'
import type { LanguageMethods } from './language.js'
import { loadLlama } from './language/load-llama.js'
import { serveWorker } from './worker-runtime.js'

serveWorker<LanguageMethods, LanguageSettings>({ load: loadLlama })
