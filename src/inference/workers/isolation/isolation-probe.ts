import { serveWorker } from '../worker-runtime.js'

/** A worker without models, to find out what the platform allows. */
serveWorker({
  load: async () => ({
    info: { packs: [], device: 'cpu', threads: 1, properties: {} },
    methods: {},
    dispose: async () => {},
  }),
})
