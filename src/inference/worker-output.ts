/**
 * Text that native libraries write about themselves. Everything else a worker prints or throws may quote
 * a bio or a prompt (a JSON parser quotes its input), so only what starts like this is passed on.
 */
const SAFE_STARTS = [
  /^uncaught \w+/,
  /^(ggml|gguf|llama|llm|load|print_info|init|create)_?\w*: /,
  /^GGML_ASSERT\(/,
  /^CUDA (error|failure)/i,
  /^(out of memory|Aborted|Segmentation fault|Bus error|Illegal instruction|Killed)/i,
  /^(free|malloc|realloc|munmap_chunk|double free|corrupted)[ (]/,
  /^terminate called/,
  /^(# )?Fatal error/i,
  /^(\S+ )?\[[VIWEF]:onnxruntime:/,
  /^\S+ \S+ \[[VIWEF]:onnxruntime:/,
  /^Non-zero status code returned while running \w+ node/,
  /^\(process:\d+\): VIPS-/,
]

const MAX_LINE_LENGTH = 300
const MAX_FRAMES = 6

/** The line, cut to a bounded length, if it is known to speak of the library only; otherwise undefined. */
export function safeWorkerLine(line: string): string | undefined {
  return SAFE_STARTS.some((start) => start.test(line)) ? line.slice(0, MAX_LINE_LENGTH) : undefined
}

/**
 * Name, code and place of an error, for a log. Its message is left out unless a native library wrote it,
 * because a message may quote what a user wrote.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is no Error'
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  const message = safeWorkerLine(error.message)
  const stack = error.stack ?? ''
  const frames = stack
    .slice(stack.indexOf(error.message) + error.message.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .*:\d+:\d+\)?$/.test(line))
    .slice(0, MAX_FRAMES)
  return `${error.name}${code}${message ? `: ${message}` : ''} ${frames.join(' ')}`.trim()
}
