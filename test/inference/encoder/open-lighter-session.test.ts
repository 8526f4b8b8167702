import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { InferenceSession } from 'onnxruntime-node'
import { openLighterSession } from '../../../src/inference/encoder/open-lighter-session.js'
import type { ModelSource } from '../../../src/inference/encoder/open-session.js'
import { encodeOnnx, imageTower, node } from './_onnx-models.js'

type Kind = 'whole' | 'lighter'
type Rows = Float32Array[] | Error

let folder: string
let tower: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lighter-'))
  tower = path.join(folder, 'tower.onnx')
  await writeFile(tower, encodeOnnx(imageTower()).bytes)
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Opens a file with sessions that give these rows, and tells which were opened and released. */
async function openWith(file: string, rows: Record<Kind, Rows>, failing: Kind[] = []) {
  const steps: string[] = []
  const kinds = new Map<InferenceSession, Kind>()
  const open = (source: ModelSource): Promise<InferenceSession> => {
    const kind = typeof source === 'string' ? 'whole' : 'lighter'
    steps.push(`open ${kind}`)
    if (failing.includes(kind)) return Promise.reject(new Error(`no ${kind}`))
    const release = () => Promise.resolve(void steps.push(`release ${kind}`))
    const session = { release } as unknown as InferenceSession
    kinds.set(session, kind)
    return Promise.resolve(session)
  }
  const probe = async (session: InferenceSession) => {
    const given = rows[kinds.get(session)!]
    if (given instanceof Error) throw given
    return Promise.resolve(given)
  }
  const session = await openLighterSession(file, probe, open)
  return { kind: kinds.get(session), steps }
}

const rows = (...values: number[]) => [Float32Array.of(1, 2, 3), Float32Array.from(values)]

describe('opening a model without what nothing reads', () => {
  it('takes the lighter model when it gives the same', async () => {
    const { kind, steps } = await openWith(tower, { whole: rows(4, 5), lighter: rows(4, 5) })

    expect(kind).toBe('lighter')
    expect(steps).toEqual(['open whole', 'release whole', 'open lighter'])
  })

  it.each<[string, Rows]>([
    ['gives other values', rows(4, -5)],
    ['gives no number', rows(4, Number.NaN)],
    ['cannot run', new Error('invalid dimensions')],
  ])('takes the whole model when the lighter one %s', async (_case, lighter) => {
    const { kind, steps } = await openWith(tower, { whole: rows(4, 5), lighter })

    expect(kind).toBe('whole')
    expect(steps.slice(2)).toEqual(['open lighter', 'release lighter', 'open whole'])
  })

  it('takes the whole model when the lighter one cannot be opened', async () => {
    const { kind } = await openWith(tower, { whole: rows(1), lighter: rows(1) }, ['lighter'])

    expect(kind).toBe('whole')
  })

  it('takes the whole model when it refuses the probe', async () => {
    const whole = new Error('another input')

    const { kind, steps } = await openWith(tower, { whole, lighter: rows(1) })

    expect(kind).toBe('whole')
    expect(steps).toEqual(['open whole'])
  })

  it('opens a model that reads all tokens once', async () => {
    const file = path.join(folder, 'mean.onnx')
    const mean = node('ReduceMean', ['tokens'], 'embedding', { axes: [1], keepdims: 0 })
    await writeFile(file, encodeOnnx(imageTower([mean])).bytes)

    const { steps } = await openWith(file, { whole: rows(1), lighter: rows(1) })

    expect(steps).toEqual(['open whole'])
  })

  it('fails as the whole model does', async () => {
    const missing = path.join(folder, 'missing.onnx')
    const given = { whole: rows(1), lighter: rows(1) }

    await expect(openWith(missing, given, ['whole'])).rejects.toThrow('no whole')
    await expect(openWith(tower, given, ['whole'])).rejects.toThrow('no whole')
  })
})
