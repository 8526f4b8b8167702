import { readFileSync } from 'node:fs'

/** The same relative path from src and from dist. */
const FOLDER = new URL('../../../../examples/quick-start/', import.meta.url)
/** The URL in the examples, which the page replaces by the visitor's base URL. */
const EXAMPLE_URL = 'http://127.0.0.1:8080'

/** What a snippet does; also the name of its files without extension. */
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

/** The repository's quick-start examples in each language, calling `baseUrl`. */
export function readSnippets(topic: SnippetTopic, baseUrl: string): Snippet[] {
  return LANGUAGES.map(({ language, extension }) => ({
    language,
    code: readFileSync(new URL(`${topic}.${extension}`, FOLDER), 'utf8').replaceAll(
      EXAMPLE_URL,
      baseUrl,
    ),
  }))
}
