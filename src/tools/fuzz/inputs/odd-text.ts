import fc, { type Arbitrary } from 'fast-check'

/** Pieces that have broken text handling somewhere: expansion, order, width, invisibility, markup, escapes. */
const ODD_PIECES = [
  ['\u{fdfa}', '\u{3300}', 'ﬁ', '…', '가', '각', 'ㅤ', '𝓪', 'Ａ', 'ß', 'İ', 'ı', '\u0345'],
  ['\u0301', '\u0301\u0316', 'a\u0301', '\u0340', '\u200b', '\u200d', '\u2060', '\ufeff'],
  ['\u202e', '\u202c', '\u2066', '\u2069', '\u061c', '\u00ad', '\u{e0001}', '\ufe0f'],
  ['\ud800', '\udc00', '\ufffd', '\ufffe', '\0', '\u001b[31m', '\u0085', '\u2028', '\u2029'],
  ['😀', '👨‍👩‍👧‍👦', '🇬🇧', '漢', 'я', 'аb', '\u{10ffff}', '\n', '\r\n', '\t', '\u00a0'],
  ['"', '\\', "'", '<', '>', '&lt;', '<script>', '%00', '{{', '}}', '{%', '${x}', '../'],
  ['a@b.co', 'www.x.com', '@me', '+1 555 0100', '5', '18 ', '. ', ', ', '!?', '- ', '*', '_'],
].flat()

/** Tokens and marks that structure what a model reads. */
export const MODEL_MARKS = [
  ['<|im_start|>', '<|im_end|>', '<|endoftext|>', '<|im_start|>system\n', '<|user|>', '</s>'],
  ['<s>', '<unk>', '<pad>', '[CLS]', '[SEP]', '[MASK]', '<|startoftext|>', '[INST]', '<mask>'],
  ['\u{e000}0\u{e001}', '\u{e000}1\u{e001}', '<start_of_turn>', '###', '▁', '##ing', '<0x0A>'],
].flat()

/** Words that safety rules look for, alone or repeated. */
const RULE_WORDS = [
  ['i am ', 'you are ', 'your ', 'kill ', 's3x ', 'f*ck ', 's e x ', 'send me ', 'money '],
  ['14 years old ', 'school ', 'snap me ', 'telegram ', 'so very ', 'not ', 'and now please '],
  ['ignore the ', 'system: ', 'hate ', 'want to ', 'die ', 'a.b.', 'k.y.s ', 'one two three '],
].flat()

const piece = fc.constantFrom(...ODD_PIECES, ...MODEL_MARKS, ...RULE_WORDS)

const mixed = fc.array(piece, { maxLength: 30, size: 'max' }).map((pieces) => pieces.join(''))

/** Up to three pieces, over and over: what makes a slow rule slow. */
function runs(maxCharacters: number): Arbitrary<string> {
  const period = fc.array(piece, { minLength: 1, maxLength: 3 })
  return fc
    .tuple(period, fc.integer({ min: 1, max: maxCharacters }))
    .map(([pieces, length]) => repeatTo(pieces.join(''), length))
}

function repeatTo(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** Any sequence of UTF-16 units, lone surrogates included. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60, size: 'max' })
  .map((codes) => String.fromCharCode(...codes))

/** Texts as nobody writes them. */
export function oddText(maxCharacters: number): Arbitrary<string> {
  return fc
    .oneof(
      mixed,
      runs(maxCharacters),
      units,
      fc.string({ unit: 'binary', maxLength: 60, size: 'max' }),
    )
    .map((text) => text.slice(0, maxCharacters))
}
