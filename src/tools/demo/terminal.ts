import { styleText } from 'node:util'

const LINE_LENGTH = 70

export const bold = (text: string): string => styleText('bold', text)
export const dim = (text: string): string => styleText('dim', text)
export const accent = (text: string): string => styleText('cyan', text)

/** Prints a heading with the call that follows. */
export function printChapter(number: string, title: string, call: string): void {
  console.log(`\n${dim('─'.repeat(72))}\n${bold(`${number}. ${title}`)}  ${dim(call)}`)
}

/** Breaks text into indented lines. */
export function wrap(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + word.length > LINE_LENGTH) lines.push('')
    lines[lines.length - 1] += `${word} `
  }
  return lines.map((line) => `  ${line.trimEnd()}`).join('\n')
}
