import { phrase, type PhraseRule } from './phrase-rule.js'
import { REFUSED } from './refusals.js'
import { APP, APP_AFTER_ON, NO_HANDLE } from './app-names.js'

/** Ways to another app in German, French, Spanish, Portuguese and Italian. */
export const otherAppsAbroad: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:schreib|schreibt|schreibe|add|adde|addet|kontaktier|kontaktiere|erreichst|folg|folge|
      folgt|such|finde|findest|findet|meld|melde|meldet|ruf|text)(?: |e? )(?:mir|mich|dich|euch|
      du mich|ihr mich)? ?(?:\w+ ){0,2}(?:auf|bei|uber|per|via|in) (?:meinem? )?${APP_AFTER_ON}`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:meine|mein) (?:handy ?|telefon ?|whats ?app ?)?(?:nummer|
      ${APP})(?: ?:| ist| lautet| heisst) ?@?(?:\d|\+|${NO_HANDLE}[a-z0-9._]{3,})`,
  },
  {
    phrase: phrase`
      (?:gib|schick|schreib) (?:mir )?(?:mal )?deine (?:handy ?)?(?:nummer|${APP})`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:ajoute|ajoutez|suis|suivez|ecris|ecrivez|contacte|contactez|trouve|retrouve|retrouvez|
      rejoins|parle|parlons|appelle)(?:[ -](?:moi|m))? (?:\w+ )?(?:sur|par|
      via) (?:mon )?${APP_AFTER_ON}`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      mon (?:numero|tel|telephone|portable|06|
      ${APP})(?: ?:| cest| est le| est) ?@?${NO_HANDLE}[a-z0-9+][a-z0-9._]+`,
  },
  {
    phrase: phrase`(?:donne|file|envoie)(?:[ -]moi)? ton (?:numero|num|tel|06|${APP})`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:agregame|sigueme|siganme|escribeme|hablame|buscame|contactame|anademe|
      mandame (?:un )?mensaje|encuentrame|te espero|hablemos|escribime|agregame) (?:\w+ )?(?:a|al|
      en|por|via) (?:mi |el )?(?:${APP_AFTER_ON}|whats)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      mi (?:numero|telefono|celular|cel|movil|${APP}|whats) ?(?:es|
      :) ?@?${NO_HANDLE}[a-z0-9+][a-z0-9._]+`,
  },
  {
    phrase: phrase`(?:dame|pasame|mandame) tu (?:numero|telefono|cel|${APP}|whats)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:me )?(?:chama|chame|segue|siga|adiciona|adicione|manda mensagem|fala comigo|procura|
      liga)(?: la)? (?:no|na|pelo|la no) (?:meu )?(?:${APP_AFTER_ON}|whats|zap)|me (?:add|
      adiciona|segue) (?:no|la no) (?:insta|face|snap)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      meu (?:numero|telefone|celular|${APP}|whats|zap) ?(?:e|eh|
      :) ?@?${NO_HANDLE}[a-z0-9+][a-z0-9._]+`,
  },
  {
    phrase: phrase`
      (?:me )?(?:passa|manda) (?:o )?(?:seu|teu) (?:numero|whats|zap|${APP})`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:scrivimi|scrivetemi|aggiungimi|seguimi|seguitemi|contattami|trovami|mi trovi|mi trovate|
      cercami|chiamami) (?:\w+ )?(?:su|sul|al|a|in) (?:mio )?${APP_AFTER_ON}`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:il )?mio (?:numero|cellulare|${APP}) ?(?:e|:) ?@?${NO_HANDLE}[a-z0-9+][a-z0-9._]+`,
  },
  { phrase: phrase`(?:dammi|lasciami|mandami) il tuo (?:numero|${APP})`, unlessPreceded: REFUSED },
  {
    phrase: phrase`
      (?:mandame|enviame|echame) (?:un )?(?:whats ?app|wasap|whats|mensaje (?:por|
      al) (?:whats ?app|insta|telegram))`,
    unlessPreceded: REFUSED,
  },
]
