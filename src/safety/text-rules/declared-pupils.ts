import { expression, phrase, type PhraseRule } from './phrase-rule.js'

const SCHOOL_JOB = expression`
  ^[ ,]*(?:\w+ )?(?:teach|teacher|coach|tutor|librarian|principal|counsell?or|nurse|admin|music|
  maths?|chemistry|physics|history|english|science|art|sweethearts?|reunion|alum|alumni|
  graduates?|dropout|musical|drama|years ago|sport|football (?:coach|ref))`
const SCHOOL_WORK = expression`
  \b(?:teach|teaches|teaching|teacher|coach|coaching|tutor|tutoring|mentor|work|working|volunteer|
  counsell?or|librarian|nurse|since|was|were|met|been|finished|graduated|felt|son|daughter|kids?|
  mum|mom|dad|parent|when|used to|nephew|niece|brother|sister|brothers|sisters)\b[^,]*$|
  \b(?:after|before|like|from|back in|left|as an?|for|to|a bunch of|than|my|ex|former|run|runs|
  lead|his|her|their|our|with) (?:an? |the )?$`

/** Somebody says to be at school still; teachers, parents and memories are excused. */
export const declaredPupils: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:freshman|sophomore|junior|senior|student|pupil)(?: year)? (?:in|at|of|@) (?:a |the |
      my )?(?:\w+ ){0,2}(?:high|middle|secondary|primary)(?: school)?`,
    unlessPreceded: SCHOOL_WORK,
    unlessFollowed: SCHOOL_JOB,
  },
  {
    phrase: phrase`
      (?:high|middle|secondary|junior high) ?school (?:freshman|sophomore|junior|senior|student|
      pupil|kid|girl|boy|cheerleader)`,
    unlessPreceded: SCHOOL_WORK,
    unlessFollowed: SCHOOL_JOB,
  },
  {
    phrase: phrase`
      (?:im|i am|am|still|currently|im still|stuck) (?:a |an |still |stuck ){0,4}(?:in |
      attending |at |going to )?(?:high|middle|secondary|junior high) ?school(?:er)?`,
    unlessPreceded: /\b(?:teach|work|coach|like|if|felt|when)\b[^,]*$/,
    unlessFollowed: SCHOOL_JOB,
  },
  {
    phrase: phrase`
      (?:[6-9]|1[0-2]|six|seven|eigh|nin|ten|eleven|twelf)th[ -]?grader?|(?:sixth|seventh|eighth|
      ninth|tenth|eleventh|twelfth)[ -]?grader?`,
    unlessPreceded: SCHOOL_WORK,
    unlessFollowed: SCHOOL_JOB,
  },
  {
    phrase: phrase`
      (?:im |i am )?(?:in )?(?:year|yr) (?:[7-9]|1[0-3]) (?:student|pupil|girl|boy|at|and|here)|
      (?:im|i am|still|just|only) (?:in|started|starting|finished) (?:year|yr|grade) (?:[6-9]|
      1[0-3])`,
    unlessPreceded: SCHOOL_WORK,
    unlessFollowed: SCHOOL_JOB,
  },
  {
    phrase: phrase`
      (?:doing|taking|sitting|revising for|studying for|stressed about) (?:my )?(?:gcses?|
      a ?-?levels|sats)(?: (?:this|next|rn|now|atm))`,
    unlessPreceded: SCHOOL_WORK,
  },
  {
    phrase: phrase`
      (?:first|second|third|fourth|last|final|senior|junior|sophomore|freshman) year (?:of|in|
      at) (?:high|middle|secondary|junior high) ?school|(?:looking for|need|want|
      seeking) an? prom date|my prom is`,
    unlessPreceded: SCHOOL_WORK,
  },
  {
    phrase: expression`
      (?:^|[.\n] ?)(?:year|yr|grade) (?:[7-9]|1[0-3])(?=[,.!]|$|\n)|\b(?:my )?gcses (?:are|this|
      next|soon|suck|stress|coming)`,
    unlessPreceded: SCHOOL_WORK,
  },
]
