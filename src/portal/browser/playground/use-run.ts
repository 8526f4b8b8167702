import { useEffect, useRef, useState } from 'preact/hooks'
import { readAnswerFacts } from './answer-facts.js'
import { sendCall, type Call, type CallSettings } from './call.js'
import { addOpenerEvent, startRun, toFailure, type Run } from './run.js'

export interface RunControl {
  run: Run | undefined
  start: (call: Call, settings: Omit<CallSettings, 'signal'>) => void
  cancel: () => void
}

/** Runs one call at a time: a new call, or leaving the page, aborts the previous one. */
export function useRun(announce: (text: string) => void): RunControl {
  const [run, setRun] = useState<Run>()
  const current = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  const start: RunControl['start'] = (call, settings) => {
    current.current?.abort()
    const abort = new AbortController()
    current.current = abort
    const startedAt = performance.now()
    const elapsed = () => Math.round(performance.now() - startedAt)
    const update = (change: (run: Run) => Run) => {
      if (current.current === abort) setRun((before) => before && change(before))
    }
    setRun(startRun(call))
    announce('The call was sent.')
    const listener = {
      onResponse: (response: Response) =>
        update((before) => ({ ...before, facts: readAnswerFacts(response) })),
      onPreferences: (preferences: Run['preferences']) =>
        update((before) => ({ ...before, preferences })),
      onMatch: (match: Run['match']) => update((before) => ({ ...before, match })),
      onOpenerEvent: (event: Parameters<typeof addOpenerEvent>[1]) => {
        const milliseconds = elapsed()
        update((before) => addOpenerEvent(before, event, milliseconds))
        if (event.event === 'opener') {
          announce(`Opener ${event.data.index + 1}: ${event.data.text}`)
        }
      },
    }
    sendCall(call, { ...settings, signal: abort.signal }, listener).then(
      () => {
        const milliseconds = elapsed()
        update((before) => ({ ...before, state: 'done', milliseconds }))
        announce(`Answered after ${milliseconds} milliseconds.`)
      },
      (thrown: unknown) => {
        const milliseconds = elapsed()
        if (abort.signal.aborted) {
          update((before) => ({ ...before, state: 'cancelled', milliseconds }))
          return
        }
        const failure = toFailure(thrown)
        update((before) => ({ ...before, state: 'failed', milliseconds, failure }))
        announce(`The call failed: ${failure.code}. ${failure.message}`)
      },
    )
  }

  const cancel = () => {
    current.current?.abort()
    announce('The call was cancelled.')
  }
  return { run, start, cancel }
}
