import { expect, it } from '@jest/globals'
import { findInterestsInBio } from '../../src/profile/bio-interests.js'

it.each([
  ['I run before work.', 'running'],
  ['Bowling on Thursdays.', 'bowling'],
  ['I fish from the pier.', 'fishing'],
  ['Boxing coach by night.', 'boxing'],
  ['running > sleep', 'running'],
  ['sofa -> running in ten weeks', 'running'],
  ['Into running, hate boats.', 'running'],
  ['▪️bowling ▪️balloons', 'bowling'],
])('%p names %s', (bio, interest) => {
  expect(findInterestsInBio(bio)).toContain(interest)
})

it.each([
  ['I run a donkey sanctuary.', 'running'],
  ['One tea bowl at a time.', 'bowling'],
  ['Fish stew on Sundays.', 'fishing'],
  ['Living out of boxes.', 'boxing'],
  ['I never run.', 'running'],
  ['I hate boats, running, rain.', 'running'],
  ["Running, I can't stand it.", 'running'],
  ['Running, never.', 'running'],
  ['Running? No. Cake? Yes.', 'running'],
  ['sleep > running. soup > salad', 'running'],
])('%p does not name %s', (bio, interest) => {
  expect(findInterestsInBio(bio)).not.toContain(interest)
})
