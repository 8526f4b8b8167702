import { describe, expect, it } from '@jest/globals'
import type { PersonFacts } from '../../src/match/person.js'
import { profileText } from '../../src/match/profile-text.js'

const facts: PersonFacts = {
  bio: 'I mend boats.\nAsk me how.',
  interests: ['sailing', 'knots'],
  lifestyle: ['active'],
  photoTags: ['sailboat', 'harbour', 'sailboat'],
  photos: [],
}

describe('a profile as the match model reads it', () => {
  it('is its lists, each entry once, and then the bio on the same line', () => {
    expect(profileText(facts)).toBe(
      'interests: sailing, knots | lifestyle: active | photos: sailboat, harbour | I mend boats. Ask me how.',
    )
  })

  it('has nothing for what is not known', () => {
    const unknown = { interests: [], lifestyle: [], photoTags: [], photos: [] }
    expect(profileText({ ...unknown, bio: 'I mend boats.' })).toBe('I mend boats.')
    expect(profileText({ ...unknown, bio: ' \n ' })).toBe('')
  })

  it('leaves out the part that is asked to go', () => {
    expect(profileText(facts, 'bio')).toBe(
      'interests: sailing, knots | lifestyle: active | photos: sailboat, harbour',
    )
    expect(profileText(facts, 'interests')).toBe(
      'lifestyle: active | photos: sailboat, harbour | I mend boats. Ask me how.',
    )
  })

  it('has no more of a list than is compared', () => {
    const interests = Array.from({ length: 40 }, (_, i) => `interest ${i}`)
    const text = profileText({ ...facts, interests })
    expect(text).toContain('interest 11')
    expect(text).not.toContain('interest 12')
  })
})
