import { completeFacts, type KnownFacts, type OpenerFacts } from '../../src/openers/opener-facts.js'

/** The facts of a profile that has only what is given. */
export function factsOf(known: Partial<KnownFacts>): OpenerFacts {
  return completeFacts({
    senderName: 'Sam',
    bio: '',
    photoElements: [],
    likes: [],
    senderLikes: [],
    commonGround: [],
    sharedInterests: [],
    ...known,
  })
}
