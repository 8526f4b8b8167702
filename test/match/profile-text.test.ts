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

describe('the input of the match model', () => {
  it('has the lists, each entry once, and then the bio on one line', () => {
    expect(profileText(facts)).toBe(
      'interests: sailing, knots | lifestyle: active | photos: sailboat, harbour | I mend boats. Ask me how.',
    )
  })

  it('omits empty parts', () => {
    const empty = { interests: [], lifestyle: [], photoTags: [], photos: [] }
    expect(profileText({ ...empty, bio: 'I mend boats.' })).toBe('I mend boats.')
    expect(profileText({ ...empty, bio: ' \n ' })).toBe('')
  })

  it('leaves out the given part', () => {
    expect(profileText(facts, 'bio')).toBe(
      'interests: sailing, knots | lifestyle: active | photos: sailboat, harbour',
    )
    expect(profileText(facts, 'interests')).toBe(
      'lifestyle: active | photos: sailboat, harbour | I mend boats. Ask me how.',
    )
  })

  it('has at most twelve entries of a list', () => {
    const interests = Array.from({ length: 40 }, (_, i) => `interest ${i}`)
    const text = profileText({ ...facts, interests })
    expect(text).toContain('interest 11')
    expect(text).not.toContain('interest 12')
  })
})
