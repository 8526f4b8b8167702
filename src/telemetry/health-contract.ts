import { z } from 'zod'
import { STORAGE_STATES } from '../core/storage-state.js'

/** The answer of `/healthz`. */
export const aliveSchema = z.object({ status: z.literal('alive') })

const modelStatusSchema = z.object({
  role: z.enum(['vision', 'language']),
  state: z.enum(['unloaded', 'starting', 'ready', 'swapping', 'restarting', 'failed', 'closed']),
  packs: z.array(z.string()).describe('Model packs the worker uses.'),
  device: z.string().optional().describe('Device that the models run on, once known.'),
  isolation: z
    .string()
    .optional()
    .describe('What keeps the worker from network and files, once known.'),
  problem: z
    .string()
    .optional()
    .describe('Why the worker does not serve, for the operator: the last failure.'),
})

/** The answer of `/readyz`. */
export const readySchema = z.object({
  status: z.enum(['ready', 'starting', 'stopping']),
  reason: z.string().optional().describe('Why the service is not ready.'),
  storage: z.enum(STORAGE_STATES).describe('Whether the database can be used.'),
  models: z.array(modelStatusSchema),
})

export type Alive = z.infer<typeof aliveSchema>
export type Ready = z.infer<typeof readySchema>
