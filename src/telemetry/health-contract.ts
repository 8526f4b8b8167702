import { z } from 'zod'

/** The answer of `/healthz`. */
export const aliveSchema = z.object({ status: z.literal('alive') })

const modelStatusSchema = z.object({
  role: z.enum(['vision', 'language']),
  state: z.enum(['unloaded', 'starting', 'ready', 'swapping', 'restarting', 'failed', 'closed']),
  packs: z.array(z.string()).describe('Model packs the worker uses.'),
  device: z.string().optional().describe('Device that the models run on, once known.'),
})

/** The answer of `/readyz`. */
export const readySchema = z.object({
  status: z.enum(['ready', 'starting']),
  models: z.array(modelStatusSchema),
})

export type Alive = z.infer<typeof aliveSchema>
export type Ready = z.infer<typeof readySchema>
