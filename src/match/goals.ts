/** A goal that people state in bios. */
export interface Goal {
  /** Completes the sentence "You both …". */
  label: string
  /** Sentences that express it. */
  captions: readonly string[]
}

export const GOALS: readonly Goal[] = [
  {
    label: 'want something that lasts',
    captions: [
      'looking for a serious long-term relationship',
      'I want to find my person and settle down',
    ],
  },
  {
    label: 'put family first',
    captions: ['I want children and a family', 'my kids come first', 'family is everything to me'],
  },
  {
    label: 'want to see more of the world',
    captions: [
      'I want to travel the world',
      'saving up for my next trip',
      'moving abroad to live somewhere new',
    ],
  },
  {
    label: 'are building something of your own',
    captions: [
      'I am starting my own business',
      'building a company',
      'opening my own shop or restaurant',
    ],
  },
  {
    label: 'keep learning new things',
    captions: [
      'I am learning a new language',
      'studying for an exam',
      'went back to school',
      'teaching myself to play',
    ],
  },
  {
    label: 'are working toward a physical goal',
    captions: [
      'training for a marathon',
      'getting in shape this year',
      'my goal is to climb that mountain',
    ],
  },
  {
    label: 'want to do some good',
    captions: [
      'I volunteer to help people',
      'I want to make a difference',
      'protecting nature and the climate',
    ],
  },
  {
    label: 'want a slower life',
    captions: [
      'I want a quiet life in the countryside',
      'less work and more time',
      'growing my own food',
    ],
  },
  {
    label: 'are starting a new chapter',
    captions: [
      'starting over after a divorce',
      'new in town and looking for friends',
      'a fresh start',
    ],
  },
  {
    label: 'want to get better at your craft',
    captions: [
      'finishing my novel',
      'recording my first album',
      'perfecting my craft',
      'restoring an old house or boat',
    ],
  },
  {
    label: 'care about where your careers are going',
    captions: [
      'I am ambitious about my career',
      'studying to become a doctor or nurse',
      'working hard for a promotion',
    ],
  },
  {
    label: 'want company more than anything serious',
    captions: [
      'looking for someone to share meals with',
      'looking for company and good conversation',
      'nothing serious',
    ],
  },
]
