import { styleText } from 'node:util'

export const bold = (/** @type {string} */ text) => styleText('bold', text)
export const dim = (/** @type {string} */ text) => styleText('dim', text)
export const accent = (/** @type {string} */ text) => styleText('cyan', text)

/**
 * A heading with the call that is shown under it.
 * @param {string} number
 * @param {string} title
 * @param {string} call
 */
export function chapter(number, title, call) {
  console.log(`\n${dim('─'.repeat(72))}\n${bold(`${number}. ${title}`)}  ${dim(call)}`)
}

/** Text in indented lines of 70 characters. */
export function wrap(/** @type {string} */ text) {
  const lines = ['']
  for (const word of text.split(' ')) {
    if ((lines.at(-1) ?? '').length + word.length > 70) lines.push('')
    lines[lines.length - 1] += `${word} `
  }
  return lines.map((line) => `  ${line.trimEnd()}`).join('\n')
}
