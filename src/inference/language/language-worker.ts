import type { LanguageSettings } from './language-settings.js'
import type { LanguageMethods } from './language.js'
import { loadLlama } from './load-llama.js'
import { serveWorker } from '../workers/worker-runtime.js'

serveWorker<LanguageMethods, LanguageSettings>({ load: loadLlama })
