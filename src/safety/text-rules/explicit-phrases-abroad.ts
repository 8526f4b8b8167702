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
  {
    phrase: phrase`
      (?:lust auf|suche|bock auf|fur) (?:\w+ )?(?:dreier|vierer|gangbang|sexdate|sextreffen|
      bettgeschichte|affare mit sex)|(?:chupar|mamar|comer)(?:te|me)? (?:la |una |tu |
      el )?(?:pollas?|vergas?|coños?|conos?|rola|pija)|(?:lecher|sucer|baiser) (?:ta |ton |une |
      des )?(?:chatte|bite|bites|queue|cul)|(?:chupar|mamar|lamber) (?:seu |um |sua |uma )?(?:pau|
      buceta|pica|rola)|(?:succhiare|leccare) (?:il |la |un |una )?(?:cazzo|figa|cazzi)|(?:bonne|
      tailler une|faire une|petite) pipe|plan (?:sexe|q)\b|plans? (?:sexe|cul)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:qui veut|on va|envie de|je veux|jveux|dispo pour|chaud pour|chaude pour|
      viens) (?:\w+ )?baiser(?! (?:de|vole|la main|sur))|(?:quer|quero|afim de|
      bora) (?:\w+ )?(?:meter|gozar|trepar|dar gostoso)|(?:quiero|busco|
      ganas de) (?:\w+ )?(?:garchar|culiar|coito|chingar)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:frau|frauen|mann|manner|jemand|jemanden|treffen|partner|partnerin) fur sex|
      geile[nrs]? (?:frau|frauen|manner|mann|sau|milf|stunden|treffen|bilder)`,
    unlessPreceded: REFUSED,
  },
]
