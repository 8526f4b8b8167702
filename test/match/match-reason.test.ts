import { expect, it } from '@jest/globals'
import { ServiceError } from '../../src/core/service-error.js'
import { startUpCall } from '../../src/inference/inference-call.js'
import { loadPrompts } from '../../src/inference/language/prompts.js'
import { createReasonWriter } from '../../src/match/match-reason.js'

const signal = { category: 'shared_hobbies', evidence: ['pottery'], strength: 1 } as const

it('composes no reason for an aborted call', async () => {
  const controller = new AbortController()
  const language = {
    generate: async () => {
      controller.abort()
      throw new ServiceError('overloaded', 'Retry later.')
    },
  }
  const prompts = await loadPrompts('models/prompts/instruct')
  const call = { ...startUpCall(), signal: controller.signal }
  const reason = createReasonWriter().write(signal, 0.9, { language, prompts: () => prompts, call })
  await expect(reason).rejects.toMatchObject({ code: 'overloaded' })
})
