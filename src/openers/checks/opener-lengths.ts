/** Bounds of an opener in Unicode code points. */
export const MIN_CHARACTERS = 15
// The longest hand-written opener of the training pairs has 125; a first message of more than 200 reads like a letter.
export const MAX_CHARACTERS = 200
