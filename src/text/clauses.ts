/** What ends a clause: a comma, a semicolon, a colon or a dash between blanks. */
const CLAUSE_END = /[,;:]\s+|\s[–—-]\s+/gu

/** Where the clause that holds the character at `index` starts. */
export function startOfClause(sentence: string, index: number): number {
  const last = [...sentence.slice(0, index).matchAll(CLAUSE_END)].at(-1)
  return last ? last.index + last[0].length : 0
}
