/** Two opposite sides of a trait that complement each other. */
export interface TraitPair {
  /** A clause that assigns one side to each person. */
  label: string
  /** Sentences that express one side. */
  left: readonly string[]
  /** Sentences that express the other side. */
  right: readonly string[]
}

export const TRAIT_PAIRS: readonly TraitPair[] = [
  {
    label: 'one of you plans ahead and the other goes with the moment',
    left: ['I plan everything with lists and spreadsheets', 'organised planner'],
    right: ['I am spontaneous', 'I never plan anything', 'chaotic and always late'],
  },
  {
    label: 'one of you talks easily and the other listens well',
    left: ['I talk too much', 'I tell long stories', 'outgoing and loud'],
    right: ['I am a good listener', 'quiet and introverted', 'I do not say much'],
  },
  {
    label: 'one of you cooks and the other loves to eat',
    left: ['I cook for everyone', 'chef', 'I bake too much bread'],
    right: ['I cannot cook', 'I burn everything in the kitchen', 'I love to eat'],
  },
  {
    label: 'one of you is at home outdoors and the other indoors',
    left: ['I am always outside in the mountains', 'outdoorsy and adventurous'],
    right: ['homebody', 'I love staying in with a book'],
  },
  {
    label: 'one of you starts the day early and the other ends it late',
    left: ['early riser', 'up at five in the morning'],
    right: ['night owl', 'I work nights and sleep late'],
  },
  {
    label: 'one of you performs and the other loves to be in the audience',
    left: ['I play in a band', 'I sing on stage', 'actor and performer'],
    right: ['I love live music', 'I go to every show', 'theatre lover'],
  },
  {
    label: 'one of you teaches and the other keeps learning',
    left: ['I am a teacher', 'I explain things for a living'],
    right: ['I am a student', 'learning something new'],
  },
  {
    label: 'one of you works with words and the other with your hands',
    left: ['writer', 'librarian', 'editor and reader'],
    right: ['carpenter', 'mechanic who fixes things', 'I build and repair things'],
  },
  {
    label: 'one of you lives by logic and the other by imagination',
    left: ['engineer', 'data analyst', 'scientist'],
    right: ['artist', 'painter', 'poet and dreamer'],
  },
  {
    label: 'one of you looks after people and the other makes them laugh',
    left: ['nurse', 'caregiver', 'I take care of everyone'],
    right: ['comedian', 'I tell bad jokes', 'making people laugh'],
  },
  {
    label: 'one of you knows the city and the other the countryside',
    left: ['city dweller', 'I love the noise of the city'],
    right: ['rural', 'I live on a farm', 'small town life'],
  },
  {
    label: 'one of you travels and the other knows how to make a home',
    left: ['always travelling', 'I live out of a suitcase'],
    right: ['I love my home and garden', 'rooted in one place'],
  },
]

/** Pairs of groups; every entry of one group contradicts every entry of the other. */
export const OPPOSITE_LIFESTYLES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['early riser', 'morning person'],
    ['night owl', 'shift worker'],
  ],
  [
    ['homebody', 'quiet', 'quiet life', 'introvert', 'introverted'],
    ['partygoer', 'social', 'outgoing', 'sociable'],
  ],
  [
    ['rural', 'country life', 'rural living', 'small-town'],
    ['city dweller', 'urban'],
  ],
  [['sober'], ['social drinker', 'partygoer']],
  [
    ['child-free', 'childfree'],
    ['family-oriented', 'single parent', 'parent'],
  ],
  [
    ['organized', 'organised', 'planner'],
    ['spontaneous', 'laid-back'],
  ],
]
