import type { VisionSettings } from './vision/vision-settings.js'
import { loadVision } from './vision/load-vision.js'
import type { VisionMethods } from './vision.js'
import { serveWorker } from './worker-runtime.js'

serveWorker<VisionMethods, VisionSettings>({ load: loadVision })
