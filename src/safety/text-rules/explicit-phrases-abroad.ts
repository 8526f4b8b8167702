import { phrase, type PhraseRule } from './phrase-rule.js'
import { REFUSED } from './refusals.js'

/** What is asked for most plainly in German, French, Spanish, Portuguese and Italian. */
export const explicitPhrasesAbroad: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:suche|will|brauche|nur|geil auf|lust auf|bock auf|hatte gern|mag|auf) (?:\w+ )?(?:sex|
      fick|ficken|blasen|bumsen|vogeln|nacktbilder|nackt ?fotos)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:schick|schickt|zeig|zeigt) (?:mir )?(?:\w+ )?(?:nacktbilder|nudes|nackt ?fotos|titten|
      brust)`,
    unlessPreceded: REFUSED,
  },
  { phrase: phrase`(?:bin|immer|so) (?:\w+ )?(?:geil und|dauergeil|rattig|notgeil)` },
  {
    phrase: phrase`
      (?:envoie|envoies|envoyez|montre|montrez)(?:[ -]moi)? (?:tes |des |vos )?(?:nudes?|seins|
      photos? (?:nue?|hot)|fesses)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:cherche|veux|envie de|pour|aime|besoin de) (?:\w+ ){0,2}(?:baise|baiser (?:sans|ce soir|
      toute|avec|maintenant|fort|hard)|du sexe|sexe|sucer|une pipe|coup dun soir hard|niquer)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:busco|quiero|ganas de|solo|tener|necesito) (?:\w+ )?(?:sexo|coger (?:hoy|ya|contigo|
      rico)|follar|una mamada|culear)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:manda|mandame|envia|enviame|pasame|quiero|mostra|muestrame) (?:tus |tu |tuas |suas |uns |
      unas |fotos? ){0,4}(?:nudes?|packs?|desnud[ao]s?|pelad[ao]s?|tetas|nuas?)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:procuro|quero|afim de|a fim de|so|querendo|bora) (?:\w+ )?(?:sexo|transa|transar|foder|
      putaria|meter gostoso)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:cerco|voglio|vorrei|solo|voglia di|fare) (?:\w+ )?(?:sesso|scopare|scopata|trombare|
      chiavare|pompini)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:manda|mandami|inviami|mostrami) (?:le tue |foto |tue ){0,4}(?:nudes?|nuda|nudo|tette)`,
    unlessPreceded: REFUSED,
  },
]
