import { expression, phrase, type PhraseRule } from './phrase-rule.js'

const AGE = phrase`
  (?:1[0-7]|dreizehn|vierzehn|funfzehn|sechzehn|siebzehn|treize|quatorze|quinze|seize|dix-sept|
  trece|catorce|quince|dieciseis|diecisiete|treze|catorze|dezesseis|dezessete|tredici|quattordici|
  quindici|sedici|diciassette)`

/** Somebody says to be a minor in German, French, Spanish, Portuguese or Italian. */
export const declaredMinorsAbroad: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:ich )?bin (?:erst |grade |gerade |schon |noch |fast ){0,4}${AGE}(?= ?(?:$|[,.!?;|\n]|
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
      jai (?:que |seulement |bientot |presque |tout juste ){0,4}${AGE} ans(?! (?:de|d|en|
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
      tengo (?:solo |casi |apenas |ya ){0,4}${AGE}(?: ?anit?os| anos)?(?= ?(?:$|[,.!?;|\n]|(?:y|
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
      (?:eu )?tenho (?:so |apenas |quase |ja ){0,4}${AGE}(?: anos| aninhos)?(?= ?(?:$|[,.!?;|\n]|
      (?:e|mas|sou|moro|de idade)\b))`,
    unlessPreceded: /\b(?:quando|se|como se) $/,
  },
  { phrase: phrase`menor de (?:edad|idade),? (?:tengo )?${AGE}` },
  {
    phrase: phrase`
      ho (?:solo |appena |quasi |gia ){0,4}${AGE} anni(?! (?:di|che|da|fa))`,
    unlessPreceded: /\b(?:quando|se|come se) $/,
  },
  {
    phrase: phrase`
      (?:vado|faccio) (?:ancora )?(?:al liceo|alle medie|alle superiori|(?:la )?(?:prima|seconda|
      terza) (?:media|liceo))`,
  },
  {
    phrase: expression`
      (?:^|[,.;|\n] ?)(?:erst |grade |solo |seulement |bientot )?${AGE} (?:jahre(?: alt| jung)?|
      ans|anos|anitos|aninhos|anni)(?= ?(?:$|[,.!?;|\n]|(?:y|e|et|und|aus|de (?!\w*(?:experienc|
      carrier|metier|servi))|da|du|lycee)\b))`,
    unlessPreceded: expression`
      \b(?:sohn|tochter|kind|kinder|hund|katze|fils|fille|enfants?|ado|frere|soeur|chien|chat|
      neveu|niece|hij[oa]s?|perr[oa]|gat[oa]|sobrin[oa]|hermano|hermana|filh[oa]s?|cachorro|
      figli[oa]?|cane|gatto|nipote|whisky|seit|depuis|hace|desde|ha|da|da oltre)\b`,
  },
  {
    phrase: phrase`
      (?:au|en) (?:seconde|premiere|terminale|troisieme|quatrieme|3eme|4eme|2nde) (?:au|en|
      dans) (?:lycee|college|un)|(?:je suis |suis )?en (?:seconde|terminale|troisieme|quatrieme|
      3eme|4eme|2nde) au (?:lycee|college)|(?:voy|estoy) (?:en|a|al) (?:la |el )?(?:secundaria|
      prepa|preparatoria|primaria|instituto|bachillerato)|estudo no (?:ensino medio|fundamental)|
      no (?:primeiro|segundo|terceiro) ano do ensino medio`,
  },
  {
    phrase: phrase`
      (?:lyceen(?:ne)?|collegien(?:ne)?|fille|garcon|ado|adolescente?|chic[ao]|muchach[ao]|
      nin[ao]|menin[ao]|garot[ao]|ragazz[ao]|schuler(?:in)?|madchen|junge) (?:de|di|von|
      mit)? ?${AGE}(?: ans| anos| anni| jahren?)?(?= ?(?:$|[,.!?;|\n]|(?:y|e|et|und|aus|de|que|
      qui|che|cherche|busca|busco|sucht|suche|cerca|cerco|procura|procuro)\b))`,
    unlessPreceded: expression`
      \b(?:une?|einen?|mein|meine|mon|ma|mi|mia?|mio|il|la|el|o|a|der|das|fur|pour|para|per|des|
      les|los|las) $`,
  },
  { phrase: /(?:^|\n)1[0-7] ?(?:j|jahre|jr)\b/ },
]
