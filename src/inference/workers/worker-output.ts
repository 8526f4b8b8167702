import type { Log, LogFields } from '../../telemetry/log.js'

/**
 * Prefixes of messages that native libraries write about themselves. Anything else that a worker prints or throws may quote a bio or a
 * prompt (a JSON parser quotes its input) and is not logged.
 */
const ALARMING = [
  /^uncaught \w+/,
  /^GGML_ASSERT\(/,
  /^CUDA (error|failure)/i,
  /^(out of memory|Aborted|Segmentation fault|Bus error|Illegal instruction)/i,
  /^(free|malloc|realloc|munmap_chunk|double free|corrupted)[ (]/,
  /^terminate called/,
  /^(# )?Fatal error/i,
  /^(\S+ ){0,2}\[[EF]:onnxruntime:/,
  /^Non-zero status code returned while running \w+ node/,
]
const CHATTY = [
  /^(ggml|gguf|llama|llm|load|print_info|init|create)_?\w*: /,
  /^(\S+ ){0,2}\[[VIW]:onnxruntime:/,
  /^\(process:\d+\): VIPS-/,
]

const MAX_LINE_LENGTH = 300
const MAX_FRAMES = 6
const MAX_LINES_PER_WINDOW = 20
const WINDOW_MS = 10_000

/**
 * Logs the lines of a worker that are known to be about a library only: failures as warnings, others for debugging. At most 20 in 10
 * seconds, so that a library which complains about every photo does not fill the disk; the next window says how many were dropped.
 */
export function createOutputLog(log: Log, fields: () => LogFields): (line: string) => void {
  let windowEndsAt = 0
  let logged = 0
  return (line) => {
    const isAlarming = matches(ALARMING, line)
    if (!isAlarming && !matches(CHATTY, line)) return
    const now = performance.now()
    if (now >= windowEndsAt) {
      windowEndsAt = now + WINDOW_MS
      const dropped = logged - MAX_LINES_PER_WINDOW
      if (dropped > 0)
        log.warn('Lines of a model worker were dropped', { ...fields(), count: dropped })
      logged = 0
    }
    logged += 1
    if (logged > MAX_LINES_PER_WINDOW) return
    log[isAlarming ? 'warn' : 'debug'](line.slice(0, MAX_LINE_LENGTH), fields())
  }
}

/**
 * Name, code and stack location of an error, for the log. A message may quote a user's text, so it is left out unless a native library
 * wrote it.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is no Error'
  const { name, message, stack = '' } = error
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  const known = matches(ALARMING, message) ? `: ${message.slice(0, MAX_LINE_LENGTH)}` : ''
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .*:\d+:\d+\)?$/.test(line))
    .slice(0, MAX_FRAMES)
  return `${name}${code}${known} ${frames.join(' ')}`.trim()
}

function matches(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text))
}
