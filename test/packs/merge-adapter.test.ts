import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { mergeAdapter } from '../../src/packs/gguf/merge-adapter.js'

const fixture = (file: string) => path.resolve('test/packs/fixtures/merge', file)
const read = (file: string) => readFile(fixture(file))

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'merge-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Merges the fixtures, or the given bytes instead. */
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

/** Replaces every `from` by a text of the same length. */
function replaceText(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')
}

describe('merging a LoRA adapter into a GGUF model', () => {
  it('gives the same bytes as the reference implementation for weights in F16, Q4_0 and Q4_1', async () => {
    const { merged, progress } = await merge()

    expect(merged.equals(await read('merged.gguf'))).toBe(true)
    expect(progress).toHaveLength(5)
    expect(progress.every(([done, total]) => done <= total && total === merged.length)).toBe(true)
  })

  it('refuses an adapter of another architecture', async () => {
    const adapter = replaceText(await read('adapter.gguf'), 'llama', 'qwen2')
    await expect(merge({ adapter })).rejects.toThrow(
      'the adapter is for the architecture qwen2, but the model is llama',
    )
  })

  it('refuses an adapter for weights that are missing in the model', async () => {
    const adapter = replaceText(await read('adapter.gguf'), 'blk.0.attn_q', 'blk.9.attn_q')
    await expect(merge({ adapter })).rejects.toThrow(
      'blk.9.attn_q.weight, which is missing in the model',
    )
  })

  it('refuses an adapter with only one of two tensors', async () => {
    const adapter = replaceText(
      await read('adapter.gguf'),
      'attn_k.weight.lora_b',
      'attn_q.weight.lora_c',
    )
    await expect(merge({ adapter })).rejects.toThrow('blk.0.attn_k.weight')
  })

  it('refuses an adapter of another shape', async () => {
    const adapter = replaceText(
      replaceText(await read('adapter.gguf'), 'attn_q', 'attn_x'),
      'attn_k',
      'attn_q',
    )
    await expect(merge({ adapter: replaceText(adapter, 'attn_x', 'attn_k') })).rejects.toThrow(
      /an adapter of 64 × 4 and 4 × (8|32) cannot be merged into blk\.0\.attn_[qk]\.weight of 64 × (8|32)/,
    )
  })

  it('refuses weights in an unsupported format', async () => {
    const model = await read('model.gguf')
    const name = 'blk.0.attn_q.weight'
    // The name is followed by the number of dimensions, two dimensions, and the format.
    model.writeUInt32LE(14, model.indexOf(name) + name.length + 4 + 16)
    await expect(merge({ model })).rejects.toThrow(
      'blk.0.attn_q.weight has the GGUF format 14; only F32, F16, Q4_0, Q4_1, Q8_0 can be merged',
    )
  })

  it('refuses a file that is not GGUF or is truncated', async () => {
    const model = await read('model.gguf')
    await expect(merge({ model: Buffer.from('a text') })).rejects.toThrow('is not a GGUF file')
    await expect(merge({ model: model.subarray(0, model.length - 200) })).rejects.toThrow(
      'a GGUF file is truncated',
    )
  })

  it('stops when aborted', async () => {
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
