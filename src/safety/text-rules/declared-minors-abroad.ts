import { phrase, type PhraseRule } from './phrase-rule.js'

/** Somebody says to be a minor in German, French, Spanish, Portuguese or Italian. */
export const declaredMinorsAbroad: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:ich )?bin (?:erst |grade |gerade |schon |noch |fast ){0,4}1[0-7](?= ?(?:$|[,.!?;|\n]|
      jahre (?:alt|jung)|j\b|und\b|aus\b|m\b|w\b|aber\b))`,
  },
  {
    phrase: phrase`
      (?:ich )?(?:bin|werde) (?:noch |leider )?(?:minderjahrig|unter 18|noch keine 18)`,
    unlessPreceded: /\bnicht\b/,
  },
  {
    phrase: phrase`
      (?:gehe|geh) (?:noch |gerade )?(?:zur schule|in die (?:[5-9]|10|11|12)\.? klasse|
      aufs gymnasium)`,
  },
  {
    phrase: phrase`
      jai (?:que |seulement |bientot |presque |tout juste ){0,4}1[0-7] ans(?! (?:de|d|en|
      et demi de|que|dans|quand))`,
    unlessPreceded: /\b(?:quand|comme si|lorsque) $/,
  },
  {
    phrase: phrase`
      (?:je suis|suis) (?:encore |une? ){0,4}(?:mineure?|collegien(?:ne)?|
      lyceen(?:ne)?)(?! (?:de fond))`,
    unlessPreceded: /\bne $/,
  },
  {
    phrase: phrase`
      tengo (?:solo |casi |apenas |ya ){0,4}1[0-7](?: ?anit?os| anos)?(?= ?(?:$|[,.!?;|\n]|(?:y|
      pero|soy|de edad|recien)\b))`,
    unlessPreceded: /\b(?:cuando|si|como si) $/,
  },
  {
    phrase: phrase`
      (?:soy|sou|sono|eu sou) (?:aun |todavia |ainda |ancora |uma? |
      una? ){0,4}(?:de )?(?:menor de edad|menor de idade|de menor|minorenne)`,
    unlessPreceded: /\b(?:no|nao|non|ya no) $/,
  },
  {
    phrase: phrase`
      (?:eu )?tenho (?:so |apenas |quase |ja ){0,4}1[0-7](?: anos| aninhos)?(?= ?(?:$|[,.!?;|\n]|
      (?:e|mas|sou|moro|de idade)\b))`,
    unlessPreceded: /\b(?:quando|se|como se) $/,
  },
  { phrase: phrase`menor de (?:edad|idade),? (?:tengo )?1[0-7]` },
  {
    phrase: phrase`
      ho (?:solo |appena |quasi |gia ){0,4}1[0-7] anni(?! (?:di|che|da|fa))`,
    unlessPreceded: /\b(?:quando|se|come se) $/,
  },
  {
    phrase: phrase`
      (?:vado|faccio) (?:ancora )?(?:al liceo|alle medie|alle superiori|(?:la )?(?:prima|seconda|
      terza) (?:media|liceo))`,
  },
]
