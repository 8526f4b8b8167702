/** What the server passes to the playground in the browser. */
export interface PlaygroundProps {
  mayCreateKey: boolean
  /** CSRF token for the request for a key. */
  formToken: string
  /** How long a key created by the playground works. */
  keyLifetimeHours: number
  /** What each error code of the API means and what helps, by code. */
  errorMeanings: Record<string, string>
}

/** The response to the request for a key. */
export type PlaygroundKeyAnswer = { apiKey: string } | { problem: string }
