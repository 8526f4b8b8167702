import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { mergeAdapter } from '../../src/packs/gguf/merge-adapter.js'

const fixture = (file: string) => path.resolve('test/models/fixtures/merge', file)
const read = (file: string) => readFile(fixture(file))

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'merge-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Merges the fixtures, or other bytes in their place. */
async function merge({ model, adapter }: { model?: Buffer; adapter?: Buffer } = {}) {
  const paths = {
    model: path.join(folder, 'model.gguf'),
    adapter: path.join(folder, 'adapter.gguf'),
    target: path.join(folder, 'merged.gguf'),
  }
  await writeFile(paths.model, model ?? (await read('model.gguf')))
  await writeFile(paths.adapter, adapter ?? (await read('adapter.gguf')))
  const progress: [number, number][] = []
  await mergeAdapter(paths, { onProgress: (...bytes) => progress.push(bytes) })
  return { merged: await readFile(paths.target), progress }
}

/** The bytes with every `from` replaced by a text of the same length. */
function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')
}

describe('merging a LoRA adapter into a GGUF model', () => {
  it('gives the same bytes as the reference implementation, from weights in F16, Q4_0 and Q4_1', async () => {
    const { merged, progress } = await merge()

    expect(merged.equals(await read('merged.gguf'))).toBe(true)
    expect(progress).toHaveLength(5)
    expect(progress.every(([done, total]) => done <= total && total === merged.length)).toBe(true)
  })

  it('refuses an adapter of another architecture', async () => {
    const adapter = replaced(await read('adapter.gguf'), 'llama', 'qwen2')
    await expect(merge({ adapter })).rejects.toThrow(
      'the adapter is for the architecture qwen2, the model is llama',
    )
  })

  it('refuses an adapter for weights that the model does not have', async () => {
    const adapter = replaced(await read('adapter.gguf'), 'blk.0.attn_q', 'blk.9.attn_q')
    await expect(merge({ adapter })).rejects.toThrow(
      'blk.9.attn_q.weight, which the model does not have',
    )
  })

  it('refuses an adapter that has half of a change', async () => {
    const adapter = replaced(
      await read('adapter.gguf'),
      'attn_k.weight.lora_b',
      'attn_q.weight.lora_c',
    )
    await expect(merge({ adapter })).rejects.toThrow('blk.0.attn_k.weight')
  })

  it('refuses an adapter of another shape', async () => {
    const adapter = replaced(
      replaced(await read('adapter.gguf'), 'attn_q', 'attn_x'),
      'attn_k',
      'attn_q',
    )
    await expect(merge({ adapter: replaced(adapter, 'attn_x', 'attn_k') })).rejects.toThrow(
      /blk\.0\.attn_[qk]\.weight is 64 × (8|32), which an adapter of 64 × 4 and 4 × (8|32) cannot be added to/,
    )
  })

  it('refuses weights in a format that it does not read', async () => {
    const model = await read('model.gguf')
    const name = 'blk.0.attn_q.weight'
    // After the name come the number of dimensions, two of them, and the format.
    model.writeUInt32LE(14, model.indexOf(name) + name.length + 4 + 16)
    await expect(merge({ model })).rejects.toThrow(
      'blk.0.attn_q.weight is in format 14 of GGUF; only F32, F16, Q4_0, Q4_1, Q8_0 can be merged',
    )
  })

  it('refuses what is no GGUF file, and one that is cut off', async () => {
    const model = await read('model.gguf')
    await expect(merge({ model: Buffer.from('a text') })).rejects.toThrow('is no GGUF file')
    await expect(merge({ model: model.subarray(0, model.length - 200) })).rejects.toThrow(
      'a file ends too early',
    )
  })

  it('ends when it is aborted', async () => {
    const controller = new AbortController()
    const merging = mergeAdapter(
      {
        model: fixture('model.gguf'),
        adapter: fixture('adapter.gguf'),
        target: path.join(folder, 'merged.gguf'),
      },
      { signal: controller.signal, onProgress: () => controller.abort() },
    )
    await expect(merging).rejects.toThrow('aborted')
  })
})
