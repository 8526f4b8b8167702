import { expect, it } from '@jest/globals'
import { foldNumber, plainName } from '../../src/text/plain-name.js'

const form = (name: string) => foldNumber(plainName(name))

it('is the same for names that differ in capitals, punctuation and accents', () => {
  expect(plainName('Stand-up  Comedy')).toBe('stand up comedy')
  expect(plainName('Cafés')).toBe(plainName('cafes'))
})

it('keeps the vowel signs of other scripts', () => {
  expect(plainName('हिंदी')).not.toBe(plainName('हद'))
})

it.each([
  ['dog', 'dogs'],
  ['hobby', 'hobbies'],
  ['movie', 'movies'],
  ['dish', 'dishes'],
  ['glass', 'glasses'],
  ['the beach', 'beaches'],
])('has one form for %s and %s', (one, many) => {
  expect(form(one)).toBe(form(many))
})

it.each([
  ['organ', 'organizing'],
  ['journaling', 'journalism'],
  ['nights in', 'nights out'],
  ['watches', 'people watching'],
])('has different forms for %s and %s', (one, other) => {
  expect(form(one)).not.toBe(form(other))
})
