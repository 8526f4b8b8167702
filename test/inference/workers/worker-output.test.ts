import { createOutputLog, describeFailure } from '../../../src/inference/workers/worker-output.js'
import { createRecordingLog } from './_fixture-host.js'

describe('output of a worker', () => {
  function logged(...lines: string[]): { level: string; message: string }[] {
    const log = createRecordingLog()
    const write = createOutputLog(log, () => ({ role: 'language', pid: 7 }))
    lines.forEach(write)
    return log.lines
  }

  it.each([
    'GGML_ASSERT(ctx->mem_buffer != NULL) failed',
    'CUDA error: out of memory',
    'terminate called after throwing an instance of std::bad_alloc',
    'double free or corruption (!prev)',
    '# Fatal error in , line 0',
    '2026-01-01 10:00:00.123456 [E:onnxruntime:, sequential_executor.cc:572] Non-zero status code',
  ])('is logged as a warning when a library reports a failure: %s', (line) => {
    expect(logged(line)).toEqual([
      { level: 'warn', message: line, fields: { role: 'language', pid: 7 } },
    ])
  })

  it.each([
    'llama_model_loader: loaded meta data with 37 key-value pairs',
    'ggml_cuda_init: found 1 CUDA devices:',
    '2026-01-01 10:00:00.123456 [W:onnxruntime:, graph.cc:4285] Removing initializer',
  ])('is logged for debugging when a library reports progress: %s', (line) => {
    expect(logged(line)).toMatchObject([{ level: 'debug', message: line }])
  })

  it.each([
    'Hi Anna, how was Lisbon?',
    'SyntaxError: Unexpected token A in JSON at position 0',
    '    at JSON.parse (<anonymous>)',
    ' llama_decode: not at the start',
    '',
  ])('is dropped when it may quote user data: %s', (line) => {
    expect(logged(line)).toEqual([])
  })

  it('is limited in line length and rate', () => {
    const flood = Array.from({ length: 5_000 }, () => `llama_decode: ${'x'.repeat(10_000)}`)
    const lines = logged(...flood)
    expect(lines.length).toBeLessThanOrEqual(40)
    expect(Math.max(...lines.map(({ message }) => message.length))).toBeLessThanOrEqual(300)
  })
})

describe('describeFailure', () => {
  it('returns class, code and location without the message', () => {
    const error = Object.assign(new RangeError('Anna from Lisbon'), { code: 'ERR_LONG' })
    const description = describeFailure(error)
    expect(description).toMatch(/^RangeError ERR_LONG at .*worker-output\.test\.ts:\d+:\d+/)
    expect(description).not.toContain('Anna')
  })

  it('omits a message that looks like a stack', () => {
    const error = new Error('Anna\n    at Lisbon (home:1:1)\n    at the beach:1:1')
    expect(describeFailure(error)).not.toMatch(/Anna|Lisbon|beach/)
  })

  it('keeps the message of a native library', () => {
    expect(describeFailure(new Error('CUDA error: out of memory'))).toContain('out of memory')
  })

  it('omits a thrown value that is not an Error', () => {
    expect(describeFailure('Anna from Lisbon')).not.toContain('Anna')
  })
})
