import { describe, expect, it } from '@jest/globals'
import { startUpCall } from '../../src/inference/call.js'
import { PLAIN } from '../../src/match/calibration.js'
import { measureLists } from '../../src/match/features.js'
import { loadMatchSpace, move } from '../../src/match/match-space.js'
import learnt from '../../src/match/match-space.json' with { type: 'json' }
import type { Person } from '../../src/match/person.js'
import { scoreMatch } from '../../src/match/score-match.js'
import { cosine, unitNorm } from '../../src/text/vectors.js'

const call = startUpCall()
const embedsAs = (embedding: readonly number[]) => ({
  embed: async (texts: readonly string[]) => texts.map(() => Float32Array.from(embedding)),
})
const size = learnt.probe.embedding.length

/** A direction of its own for each number. */
const direction = (seed: number) =>
  unitNorm(Float32Array.from({ length: size }, (_, i) => Math.sin(seed * (i + 1) ** 2)))
const termOf = (seed: number) => ({
  text: `text ${seed}`,
  embedding: direction(seed),
  centered: direction(seed),
})
const personOf = (...seeds: number[]): Person => ({
  interests: seeds.map(termOf),
  lifestyle: seeds.map(termOf),
  photoTags: [],
  sentences: seeds.map(termOf),
  photos: [],
})
const tools = {
  standardize: (cosine: number) => cosine,
  standardizeCentered: (cosine: number) => 8 * cosine,
  topics: () => -Infinity,
}

describe('the space that matches are measured in', () => {
  it('is there for the pack it was learnt with', async () => {
    const space = await loadMatchSpace(embedsAs(learnt.probe.embedding), call)
    expect(space?.calibration.fitted.pairs).toBe(1263)
    const placed = space!.place(direction(1))
    expect(cosine(placed, placed)).toBeCloseTo(1)
    expect(cosine(placed, direction(1))).toBeLessThan(0.999)
  })

  it('places a vector once, for the same texts come again and again', async () => {
    const space = await loadMatchSpace(embedsAs(learnt.probe.embedding), call)
    const [vector, equal] = [direction(1), direction(1)]
    expect(space!.place(vector)).toBe(space!.place(vector))
    expect(space!.place(equal)).toEqual(space!.place(vector))
  })

  it.each([
    ['another text space', [...direction(2)]],
    ['embeddings of another size', [1, 0, 0]],
  ])('is not there for %s', async (_case, embedding) => {
    await expect(loadMatchSpace(embedsAs(embedding), call)).resolves.toBeUndefined()
  })

  it('weighs just what is measured in it', async () => {
    const { calibration } = (await loadMatchSpace(embedsAs(learnt.probe.embedding), call))!
    const measured = Object.keys(measureLists(personOf(), personOf(), tools))
    expect(Object.keys(calibration.confidence.weights).sort()).toEqual(measured.sort())
    expect(Object.keys(calibration.typical).sort()).toEqual(measured.sort())
  })

  it('stretches a direction and keeps what is across it', () => {
    const rows = { down: [Float32Array.of(1000, 0)], up: [Float32Array.of(1000, 0)] }
    const [x, y] = move(Float32Array.of(0.6, 0.8), rows)
    expect(x! / y!).toBeCloseTo((2 * 0.6) / 0.8)
    expect(move(Float32Array.of(0, 1), rows)).toEqual(Float32Array.of(0, 1))
  })
})

describe('the score of a match', () => {
  it('is told by what it was weighed with, the same both ways round', async () => {
    const space = await loadMatchSpace(embedsAs(learnt.probe.embedding), call)
    const [a, b] = [personOf(1, 2), personOf(2, 3)]
    const learntScore = scoreMatch(a, b, { ...tools, space })
    const plainScore = scoreMatch(a, b, { ...tools, space: undefined })
    expect(learntScore.fitted).toBe(space!.calibration.fitted)
    expect(plainScore.fitted).toBe(PLAIN.fitted)
    expect(learntScore.confidence).not.toBe(plainScore.confidence)
    expect(scoreMatch(b, a, { ...tools, space }).confidence).toBeCloseTo(learntScore.confidence, 12)
  })

  it('is higher for people who have the same in common than for strangers', async () => {
    const space = await loadMatchSpace(embedsAs(learnt.probe.embedding), call)
    const score = (b: Person) => scoreMatch(personOf(1, 2), b, { ...tools, space }).confidence
    expect(score(personOf(1, 2))).toBeGreaterThan(score(personOf(3, 4)))
  })
})
