/** What the browser module `passkeys.ts` gets: what to sign, where to go, or why it cannot go on. */
export type PasskeyAnswer = { options: unknown } | { location: string } | { problem: string }
