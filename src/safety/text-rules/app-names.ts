import { phrase } from './phrase-rule.js'

/** Apps whose names mean nothing else. */
export const APP = phrase`
  (?:snap ?chat|snaps?|insta(?: ?gram)?|ig|tele ?gram|tg|whats ?app|wasap|wats ?app|zap|zapzap|
  kik|discord|facebook|fb|messenger|we ?chat|viber|skype|tik ?tok|only ?fans|imessage|zangi|wickr|
  kakao(?: ?talk)?|line id|threema|google chat|hangouts|twitter|fetlife|cashapp|gmail|hotmail|
  e ?mail|sms)`
/** After "on" also names that are ordinary words. */
export const APP_AFTER_ON = phrase`(?:${APP}|signal|line|x|threads|direct)`
/** Words that follow the name of an app and are no handle on it. */
export const NO_HANDLE = phrase`
  (?!(?:private|public|empty|boring|deleted|dead|gone|closed|open|chaos|embarrassing|secret|food|
  cats?|dogs?|full|mostly|just|all|only|not|none|no|never|nope|where|better|worse|old|new|broken|
  silent|off|quiet|hidden|inactive|dusty|useless|mainly|basically|literally|pure|nothing|a|an|the|
  my|on|in|too|so|very|happy|famous|ready|judgement|judgment|decision|decisions|peas|fitness|ops|
  worthy|addict|free|mods?|moderator|what|who|dont|ask|please|pls|banned|blocked|forever|out|of|
  and|or|is|was|are|stories|story|reels|filters?|shots?|poet|poetry|husband|wife|boyfriend|famous|
  accounts?|detox|user|elections?|bar|crackle|back|fastener|lover|voll|leer|
  privat|privado|privato|prive|secreto|vide|mort|casse|plein)\b)`
