import { serveWorker } from '../../workers/worker-runtime.js'
import { loadTokenizer } from './load-tokenizer.js'
import type { TokenizerMethods, TokenizerSettings } from './tokenizer.js'

serveWorker<TokenizerMethods, TokenizerSettings>({ load: loadTokenizer })
