import { z } from 'zod'
import { openerSchema } from './openers-contract.js'

const indexSchema = z.int().min(0).describe('Which opener of the answer, from 0.')

/** Data of the event `opener.delta` of a streamed answer. */
export const openerDeltaSchema = z.object({
  index: indexSchema,
  style: openerSchema.shape.style,
  text: z.string().describe('Append it to what came before for the same `index`.'),
})

/** Data of the event `opener` of a streamed answer. */
export const indexedOpenerSchema = openerSchema.extend({ index: indexSchema })
