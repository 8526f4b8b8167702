import { expression, phrase } from './phrase-rule.js'

/** What nobody may be called as one of a group. */
export const VILE = phrase`
  (?:vermin|sub ?-?humans?|scum\w*|parasites?|filth|filthy|filthier|rats|cockroach(?:es)?|roaches|
  diseased?|plague|cancer|disgust\w*|abominations?|unnatural|inferior|savages|monkeys|apes|pigs|
  sickness|sick in the head|fucked (?:up|in the head)|perverts?|degenerates?|mentally ill|trash|
  garbage|refuse|dirt|thieves|criminals?|rapists?|terrorists?|evil|worthless|stupid(?:est)?|
  dumb(?:est)?|idiots?|imbeciles?|retard\w*|morons?|less than human|not human|lesser|despicable|
  revolting|repulsive|repugnant|vile|pathetic|wretched|dishonest|liars|ignorant|violent|cruel|
  immoral|barbaric|uncivili[sz]ed|monsters|waste of (?:space|oxygen|air)|bastards?|motherfuckers?|
  dickheads?|assholes?|arseholes?|pricks?|shitty|pieces of shit|gross|nasty|horrible|greedy|
  corrupt|toxic|useless|failures|freaks|leeches|insects|swine|beasts|demons|sewage|burden|menace|
  pests?|brutes|barbarians|backward|primitive|untrustworthy|deceitful|lazy|shameless|a joke|
  a mistake|absolute worst|worst kind|the enemy|the problem|a danger|a threat|invading|destroying|
  ruining|taking over)`

/** What others say is told, asked or denied. */
export const QUOTED = expression`
  \b(?:people who|anyone who|those who|racists?|nobody|who thinks?|stop|against|when people|
  called|says?|said|claims?|calling|saying|writing|statements like|threats like|threatening|
  to say|call out|wrong to|myth that|cant seriously|it when|the open|fight(?:ing)?|(?:dont|do not|
  never|not) (?:\w+ )?(?:think|believe|say|agree|mean|claim|buy|hate|feel)) [^,]{0,30}$`
