import {
  DataSet,
  RegExpMatcher,
  collapseDuplicatesTransformer,
  englishDataset,
  parseRawPattern,
  resolveLeetSpeakTransformer,
  type EnglishProfaneWord,
} from 'obscenity'
import { ENGLISH_WORD_RISK, OBSCENE_WORDS, type WordRisk } from './obscene-word-list.js'

type Meaning = { originalWord: EnglishProfaneWord } | { risk: WordRisk }

/**
 * obscenity compares each match with every allowed term of its input, which is quadratic; pieces bound
 * that. They overlap by more than the longest word, so none is cut in all of them.
 */
const PIECE_CHARACTERS = 4_096
const PIECE_OVERLAP = 64

const dataset = buildDataset()
/** The preset's transformers without those for case and look-alikes, which folding has dealt with. */
const matcher = new RegExpMatcher({
  ...dataset.build(),
  blacklistMatcherTransformers: [
    resolveLeetSpeakTransformer(),
    collapseDuplicatesTransformer({
      defaultThreshold: 1,
      customThresholds: new Map([...'beglos'].map((letter) => [letter, 2])),
    }),
  ],
})

/**
 * What the obscene words of a folded text mean: letters behind signs, repeated and look-alike letters
 * are seen through.
 */
export function findObsceneWords(text: string): Set<WordRisk> {
  const risks = new Set<WordRisk>()
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS - PIECE_OVERLAP) {
    const piece = text.slice(start, start + PIECE_CHARACTERS)
    for (const match of matcher.getAllMatches(piece)) {
      // "455" reads as a word in leetspeak; a mask keeps at least two letters.
      const letters = piece.slice(match.startIndex, match.endIndex + 1).match(/[a-z]/g)
      if (letters === null || letters.length < 2) continue
      const { phraseMetadata } = dataset.getPayloadWithPhraseMetadata(match)
      const risk = phraseMetadata && riskOf(phraseMetadata)
      if (risk !== undefined && risk !== 'replaced') risks.add(risk)
    }
  }
  return risks
}

function buildDataset(): DataSet<Meaning> {
  const words = new DataSet<Meaning>()
    .addAll(englishDataset)
    .removePhrasesIf(({ metadata }) => metadata !== undefined && riskOf(metadata) === 'replaced')
  for (const { risk, patterns, allowed = [] } of OBSCENE_WORDS) {
    words.addPhrase((phrase) => {
      phrase.setMetadata({ risk })
      for (const pattern of patterns) phrase.addPattern(parseRawPattern(pattern))
      for (const term of allowed) phrase.addWhitelistedTerm(term)
      return phrase
    })
  }
  return words
}

function riskOf(meaning: Meaning): WordRisk | 'replaced' {
  return 'risk' in meaning ? meaning.risk : ENGLISH_WORD_RISK[meaning.originalWord]
}
