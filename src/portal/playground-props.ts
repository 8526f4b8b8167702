/** What the server tells the playground in the browser. */
export interface PlaygroundProps {
  /** Whether this account may create keys. */
  mayCreateKey: boolean
  /** Goes along with the request for a key. */
  formToken: string
  /** How long a key that the playground creates works. */
  keyLifetimeHours: number
  /** What each error code of the interface means and what helps, by code. */
  errorMeanings: Record<string, string>
}

/** Answer to the request for a key for the playground. */
export type PlaygroundKeyAnswer = { apiKey: string } | { problem: string }
