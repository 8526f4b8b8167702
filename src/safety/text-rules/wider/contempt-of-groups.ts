import { ending, phrase, type PhraseRule } from '../phrase-rule.js'

const GROUP = phrase`
  (?:jews?|jewish|muslims?|mohammedans|islam|muzzies|arabs?|arabes|blacks?|black people|africans?|
  asians?|chinese|indians?|pakis?|paki|mexicans?|latin[oa]s?|immigrants?|migrants?|refugees?|foreigners?|
  gays?|homosexuals?|homosexuality|lesbians?|queers?|trans(?:genders?| people)?|trannies|bi people|gypsies|gypsy|
  roma|travellers|romanians|slavs?|poles|women|females?|girls|feminists?|men|disabled(?: people)?|cripples?|autistic
   (?:kids|people)|the homeless|homeless|fat people|poor people|untouchables|low caste(?: people)?|colou?reds?|
  half breeds|mongrels|abos|aboriginals|auslander\w*|juden|schwule\w*|kanaken|turken|frauen|behinderte|moros|
  sudacas|negros|maricones|gais|mujeres|noirs|juifs|pedes|homos|migrants|buitenlanders|negri|zingari|preto|
  nordestino|viado\w*|those people|these people|that lot|esa gente|ces gens|the others|those lot)`
const BAD = phrase`
  (?:vermin|rats?|roaches|cockroaches|animals|savages|parasites?|thieves|terrorists?|criminals|filth|filthy|dirty|
  disgusting|subhuman|inferior|freaks?|perverts?|sick|a disease|diseased|a cancer|mentally ill|a burden|rapists|
  groomers|beneath (?:me|us)|less (?:clever|intelligent)|lower|dumber|slaves|expired|broken|greedy|stink|smell|
  krank|schmarotzer|inferiores|enfermos?|una enfermedad|malades?|malati|dan asco|huelen|un trastorno|no valen|não presta|nao presta)`

/** Contempt for groups of people, in polite words too. */
export const contemptOfGroups: readonly PhraseRule[] = [
  {
    phrase: phrase`${GROUP} (?:\w+ ){0,3}(?:are|is|were|r|sind|ist|son|sont|sao|sono|e|dan|by nature)(?: \w+){0,5} ${BAD}`,
    unlessPreceded: ending`(?:anyone who (?:says|thinks)|say|said|believe) (?:that )?`,
  },
  {
    phrase: phrase`${GROUP} (?:\w+ ){0,2}(?:should|must|need to|deserve|mussen|sollen|deberian|devraient|moeten) (?:\w+ ){0,4}(?:be (?:sterilised|sterilized|put|locked|banned|deported|sent|stopped|broken|outlawed|castrated|cured|drowned|kept|hanged|gassed|grateful|registered)|go (?:home|back)|stay (?:away|over|out)|drown|burn|live separately|not (?:vote|exist|breed|be born|look)|know (?:their|your) (?:place|level)|whatever|se soigner|oprotten|schweigen)`,
  },
  {
    phrase: phrase`(?:deport|gas|hang|drown|sterilise|sterilize|round up|lock up|get rid of|send back|kick out|keep out|ban|purge|abschieben|vergas\w*|gallows for) (?:\w+ ){0,3}(?:${GROUP})`,
  },
  {
    phrase: phrase`(?:no|keine?|pas de|ni) (?:blacks?|asians?|arabs?|jews|muslims|gays|indians|habibis|curries|rice|gypsies|trans|fats|fems|neger|araber|juden|negros|moros)(?: please| pls|,| or| and|$)|(?:whites|fair skin|european blood|white people|own kind|my own race|eigen volk|les francais|deutschen?) (?:only|first|eerst|allein)|only (?:dat(?:e|ing) )?(?:pure |my own |fair |white )(?:european |white )?(?:blood|kind|skin|race|people)|(?:swipe left|keep scrolling|not write|need not (?:write|apply)|stay away|out|raus|dehors|fuera|go home|tornino|torn\w+ a casa)(?:,)? ?(?:${GROUP})|(?:${GROUP}) (?:swipe left|keep scrolling|need not|go home|out|raus|dehors|get out|please not)`,
    unlessPreceded: ending`(?:racists?|transphobes|coming|worked|walk|time|dine|hang|anti) `,
  },
  {
    phrase: phrase`(?:pure|clean|mixed|dirty|keep (?:our|it|the)) blood|blood (?:must|clean|pure|stays)|race ?mixing|mixing (?:the )?races|half ?breeds|mongrels|white (?:power|pride|genocide)|proud racist|great replacement|(?:being|are) replaced|master race|beneath me|superior race|(?:race|nation|people)s? (?:\w+ ){0,4}(?:not evolved|superior|inferior|lower intelligence|happier apart|closer to animals)|bring back (?:segregation|the gallows|slavery)|a solution for you|holocaust (?:never|is a|was a)|hitler (?:was|did|had)|born to serve|natural selection|who built everything|little hats|wear(?:ing)? little hats|control(?:s|lent|an)? (?:everything|tout|the (?:banks|media|world))|behind every war`,
    unlessPreceded: ending`(?:against|fight|anti|expose|no) `,
  },
  {
    phrase: phrase`(?:women|woman|females?|wife|frauen|frau|mujeres?|femme|mulher)(?: \w+){0,4} (?:(?:in|into) the kitchen|kitchen|beneath (?:her|their)|obey|obeys|obeit|know (?:her|your|their) place|should not (?:vote|work)|not vote|cant think|is property|an den herd|na cozinha|se tait|inferior(?:es)?|expired|silent|calada|vote with|speak first|work or speak)`,
  },
  {
    phrase: phrase`(?:breed|breeding|multiply|multiplying|vermehren sich) (?:like|wie)|(?:invasion|flooded|ruin\w*|swamped|our town was clean|boats?) (?:\w+ ){0,4}(?:boats|drown|leave|every neighbou?rhood|them|came|scum)|let them drown|affondati|se queden en su tierra|on nest plus chez nous|retourne|rentrent tous|uns unterwandern|steal our|handed to them`,
  },
  {
    phrase: phrase`(?:would(?:nt| not)?|not|never|sooner|rather) (?:\w+ ){0,4}(?:let|touch|rent to|hire|sit (?:at|with)|live next to|live near|date|eat with|share) (?:\w+ ){0,5}(?:jews?|muslims?|mohammedans|blacks?|pakis?|gypsies|that lot|arabs?|gays?|colou?red|asians|trannies)|(?:against|hate) (?:all )?(?:jews|muslims|arabs|blacks|gays|immigrants|foreigners|mixing|moros|nordestino)|fags|faggots? (?!and peas)|pakis?|abos|chinks (?!in)|wetbacks|muzzies|retards|trannies|n words?|kanaken|viado|sudacas|maricon\w*|neger|negri`,
    unlessPreceded: ending`(?:called|slur|word) `,
  },
  {
    phrase: phrase`(?:pride|parade|penis|gay couples?|two genders|gender|homosexual\w*|rainbow)(?: \w+){0,6} (?:perverts?|abuse|asylum|disease|sick|prison|cured?|burn in hell|mental illness|he and a)|god hates|real man to fix|need(?:s)? correcting|curarlos|soigner|in prison or|burn in hell`,
  },
]
