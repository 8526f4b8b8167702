import type { VisionSettings } from './vision-settings.js'
import { loadVision } from './load-vision.js'
import type { VisionMethods } from './vision.js'
import { serveWorker } from '../workers/worker-runtime.js'

serveWorker<VisionMethods, VisionSettings>({ load: loadVision })
