const MAX_TEXT = 220

/** What an operator finds: readiness, log and doctor. */
export interface OperatorView {
  /** Statuses of `/readyz` while the fault lasted. */
  readiness?: ReadonlySet<number>
  /** Warnings and errors with how often each was logged. */
  problems?: ReadonlyMap<string, number>
  /** Failed checks of doctor. */
  diagnoses?: readonly string[]
  /** What a command or a refused start printed. */
  message?: string
}

/** One line for the table. */
export function formatOperatorView(view: OperatorView): string {
  const parts: string[] = []
  const { readiness, problems, diagnoses, message } = view
  if (readiness && readiness.size > 0)
    parts.push(`/readyz ${[...readiness].toSorted((left, right) => left - right).join(', ')}`)
  if (problems) {
    const lines = [...problems].slice(0, 3).map(([text, count]) => `“${cut(text)}” ×${count}`)
    parts.push(lines.length > 0 ? `log: ${lines.join(', ')}` : 'nothing in the log')
  }
  if (message !== undefined) parts.push(`“${cut(message)}”`)
  if (diagnoses) {
    parts.push(diagnoses.length > 0 ? `doctor: ${cut(diagnoses.join('; '))}` : 'doctor: nothing')
  }
  return parts.join('; ')
}

function cut(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT)}…`
}
