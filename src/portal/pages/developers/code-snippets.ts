import { readFileSync } from 'node:fs'

/** The same path from src and from dist. */
const FOLDER = new URL('../../../../examples/quick-start/', import.meta.url)
/** What the examples call; the page puts the visitor's address in its place. */
const EXAMPLE_URL = 'http://127.0.0.1:8080'

/** What a snippet does → the beginning of its files' names. */
export type SnippetTopic = 'openers' | 'events'

export interface Snippet {
  language: string
  code: string
}

const LANGUAGES = [
  { language: 'curl', extension: 'sh' },
  { language: 'TypeScript', extension: 'ts' },
  { language: 'Python', extension: 'py' },
]

/** The examples of the repository in each language, calling `baseUrl`. */
export function readSnippets(topic: SnippetTopic, baseUrl: string): Snippet[] {
  return LANGUAGES.map(({ language, extension }) => ({
    language,
    code: readFileSync(new URL(`${topic}.${extension}`, FOLDER), 'utf8').replaceAll(
      EXAMPLE_URL,
      baseUrl,
    ),
  }))
}
