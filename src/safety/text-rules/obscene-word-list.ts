import type { EnglishProfaneWord } from 'obscenity'

export type WordRisk = 'sexual_content' | 'hate' | 'profanity'

/**
 * What each word of obscenity's English dataset means here. `replaced`: its patterns hit harmless words
 * ("cumin", "Anushka", "en retard", "Penistone") or the word alone is harmless ("same-sex", "hooker" in
 * rugby), so OBSCENE_WORDS or the phrase rules decide.
 */
export const ENGLISH_WORD_RISK: Readonly<Record<EnglishProfaneWord, WordRisk | 'replaced'>> = {
  abeed: 'replaced',
  abo: 'replaced',
  africoon: 'hate',
  anal: 'replaced',
  anus: 'replaced',
  arabush: 'hate',
  arse: 'profanity',
  ass: 'profanity',
  bastard: 'profanity',
  bestiality: 'replaced',
  bitch: 'profanity',
  blowjob: 'sexual_content',
  bollocks: 'profanity',
  boob: 'profanity',
  boonga: 'hate',
  buttplug: 'sexual_content',
  chingchong: 'hate',
  chink: 'replaced',
  cock: 'replaced',
  cuck: 'profanity',
  cum: 'replaced',
  cunt: 'profanity',
  deepthroat: 'sexual_content',
  dick: 'replaced',
  dildo: 'sexual_content',
  doggystyle: 'sexual_content',
  'double penetration': 'sexual_content',
  dyke: 'replaced',
  ejaculate: 'sexual_content',
  fag: 'replaced',
  felch: 'sexual_content',
  fellatio: 'sexual_content',
  'finger bang': 'sexual_content',
  fisting: 'replaced',
  fuck: 'replaced',
  gangbang: 'sexual_content',
  handjob: 'sexual_content',
  hentai: 'sexual_content',
  hooker: 'replaced',
  incest: 'sexual_content',
  'jerk off': 'sexual_content',
  jizz: 'replaced',
  kike: 'replaced',
  lubejob: 'sexual_content',
  masturbate: 'sexual_content',
  negro: 'replaced',
  nigger: 'replaced',
  orgasm: 'replaced',
  orgy: 'replaced',
  penis: 'replaced',
  piss: 'profanity',
  porn: 'replaced',
  prick: 'profanity',
  pussy: 'replaced',
  rape: 'replaced',
  retard: 'replaced',
  scat: 'replaced',
  semen: 'replaced',
  sex: 'replaced',
  shit: 'profanity',
  slut: 'profanity',
  spastic: 'replaced',
  tit: 'replaced',
  tranny: 'replaced',
  turd: 'profanity',
  twat: 'profanity',
  vagina: 'replaced',
  wank: 'profanity',
  whore: 'profanity',
}

/** Words of one kind, and what may contain them harmlessly. */
export interface ObsceneWords {
  risk: WordRisk
  /** In obscenity's notation: `|` is a word boundary, `[x]` may be missing. */
  patterns: readonly string[]
  allowed?: readonly string[]
}

/**
 * Words that are obscene wherever they stand; those that depend on their sentence are phrase rules.
 * Letters other than b, e, g, l, o and s stand once, because obscenity collapses doubled letters.
 */
export const OBSCENE_WORDS: readonly ObsceneWords[] = [
  {
    risk: 'sexual_content',
    patterns: list(`
      |anus|, |penis|, |penises|, |pnis|, |semen|, |jiz|, |jizm|, |bestiality|, |zoophil, |orgasm,
      |bukake|, |cunilingus|, |cums|, |cuming|, |cumshot, |cumslut, |cumdump, |blow job,
      |hand job, |rim job, |rimjob, |milf|, |milfs|, |gloryhole, |glory hole, |upskirt, |nympho,
      |masturbat`),
  },
  {
    risk: 'sexual_content',
    patterns: ['|anal|'],
    allowed: ['anal retentive', 'anal about', 'anal when'],
  },
  {
    risk: 'sexual_content',
    patterns: ['|cock|', '|cocks|', '|cocksuck'],
    allowed: list(`
      cock a , cock-a, cock and bull, cock up, cock-up, cock robin, cock of the, cock pheasant,
      cock inn, weather cock, stop cock, game cock, shuttle cock, black cock, half cock, half-cock`),
  },
  {
    risk: 'sexual_content',
    patterns: ['|fisting|'],
    allowed: ['double fisting', 'double-fisting', 'two fisting', 'two-fisting'],
  },
  { risk: 'sexual_content', patterns: ['|orgy|', '|orgies|'], allowed: ['orgy of', 'orgies of'] },
  {
    risk: 'sexual_content',
    patterns: ['|pussy|', '|pussies|'],
    allowed: list('pussy cat, pussy-cat, pussy willow, pussy-willow, pussy riot, pussy galore'),
  },
  { risk: 'sexual_content', patterns: ['|fick'], allowed: ['fickle', 'fickling'] },
  {
    // German, French, Spanish, Portuguese, Italian
    risk: 'sexual_content',
    patterns: list(`
      |gefickt|, |wichsen|, |muschi|, |schwanzbild, |branler|, |branlete|, |enculer|, |sodomie|,
      |plan cul|, |plans cul|, |follar|, |follando|, |mamada|, |mamadas|, |culear|, |foder|,
      |transar|, |boquete|, |buceta|, |putaria|, |punheta|, |pompino|, |pompini|, |chiavare|,
      |sbora`),
  },

  {
    risk: 'hate',
    patterns: list(`
      |kikes|, |wetback, |raghead, |towelhead, |gooks|, |spics|, |beaners|, |pakis|, |ching chong,
      |porch monkey, |jungle buny, |mudslime, |subhumans|, |untermensch, |pikeys|, |pikey|,
      |shemale, |kafirs|, |golliwog`),
  },
  { risk: 'hate', patterns: ['n[i]gger'], allowed: ['snigger'] },
  {
    risk: 'hate',
    patterns: ['|faggot', '|fagot', '|fgot'],
    allowed: list('faggots and peas, pork faggots, faggots with, fagott, fagotto, fagotista'),
  },
  {
    risk: 'hate',
    patterns: ['|trany|', '|tranies|', '|tranys|'],
    allowed: list('tranny fluid, tranny swap, tranny rebuild, auto tranny, manual tranny'),
  },
  {
    risk: 'hate',
    patterns: ['|retards|', '|retarded|'],
    allowed: list('les retards, des retards, mes retards, tes retards, retards de, retards du'),
  },
  {
    risk: 'hate',
    patterns: list(`
      |kanake, |schwuchtel, |neger|, |judensau, |transen|, |bougnoul, |youpin, |tarlouze,
      |negres|, |sudaca, |maricon, |viado|, |viados|, |froci|, |frocio|, |richion, |negri di merda`),
  },

  {
    risk: 'profanity',
    patterns: list('fuck, |fck|, |fcking, |fuk|, |fuking, |wtf|, |stfu|, |ffs|'),
  },
  { risk: 'profanity', patterns: ['n[i]gga', '|nig|', '|nigs|'] },
  {
    risk: 'profanity',
    patterns: ['|dick|', '|dicks|', '|dickhead', '|dckhead'],
    allowed: list(`
      moby dick, moby-dick, k. dick, k dick, dick van, dick tracy, dick turpin, dick whittington,
      spotted dick, uncle dick, dick cheney, dick clark, dick grayson`),
  },
  {
    risk: 'profanity',
    patterns: ['|tits|', '|tities', '|tidies|'],
    allowed: list(`
      great tits, blue tits, coal tits, tits up, willow tits, bearded tits, long-tailed tits,
      marsh tits, crested tits, and tits`),
  },
  {
    risk: 'profanity',
    patterns: list(`
      |puta|, |putas|, |salope|, |conard|, |putain|, |fotze, |hurensohn, |cazo|, |caralho|,
      |mierda|, |merda|`),
  },
  // Harmless words that the English dataset takes for others.
  { risk: 'profanity', patterns: [], allowed: ['shito', 'shitake', 'dildo, newfoundland'] },
]

function list(text: string): string[] {
  return text.trim().split(/,\s+/)
}
