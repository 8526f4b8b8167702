import { describe, expect, it } from '@jest/globals'
import { ServiceError } from '../../src/core/service-error.js'
import { startUpCall } from '../../src/inference/inference-call.js'
import { loadPrompts } from '../../src/inference/language/prompts.js'
import { createReasonWriter } from '../../src/match/match-reason.js'
import { NO_MATCH_REASONS } from '../../src/match/reasons/reason-library.js'
import { libraryOf } from './reasons/_library.js'

const signal = { category: 'shared_hobbies', evidence: ['pottery'], strength: 1 } as const
const potter = { bio: '', interests: ['pottery'], lifestyle: [], photoTags: [], photos: [] }
const people = [potter, potter] as const

describe('the writer of match reasons', () => {
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
    const tools = { people, language, prompts: () => prompts, call }
    const reason = createReasonWriter(NO_MATCH_REASONS).write(signal, 0.9, tools)
    await expect(reason).rejects.toMatchObject({ code: 'overloaded' })
  })

  it('asks no model for what was written by hand', async () => {
    const text = 'You both like pottery, and turn a cup over to see who made it.'
    const library = libraryOf('shared_hobbies', [{ entry: 'pottery', reasons: [text] }])
    const fail = () => {
      throw new Error('The model was asked.')
    }
    const tools = { people, language: { generate: fail }, prompts: fail, call: startUpCall() }
    const reason = await createReasonWriter(library).write(signal, 0.9, tools)
    expect(reason).toEqual({ text, source: 'written' })
  })
})
