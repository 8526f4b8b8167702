import type { Attack } from './attack.js'
import { ATTACK_NAMES, type AttackName } from './attack-names.js'
import { connections } from './attacks/connections.js'
import { control } from './attacks/control.js'
import { costlyPhotos } from './attacks/costly-photos.js'
import { costlyTexts } from './attacks/costly-texts.js'
import { duplicateKeys } from './attacks/duplicate-keys.js'
import { eventBatches } from './attacks/event-batches.js'
import { gzipBombs } from './attacks/gzip-bombs.js'
import { idleBodies } from './attacks/idle-bodies.js'
import { leftStreams } from './attacks/left-streams.js'
import { newMatches } from './attacks/new-matches.js'
import { openers } from './attacks/openers.js'
import { slowPhotos } from './attacks/slow-photos.js'
import { unknownFields } from './attacks/unknown-fields.js'
import { wrongKeys } from './attacks/wrong-keys.js'

const ATTACKS: readonly Attack[] = [
  control,
  gzipBombs,
  idleBodies,
  slowPhotos,
  openers,
  newMatches,
  leftStreams,
  costlyTexts,
  eventBatches,
  costlyPhotos,
  connections,
  wrongKeys,
  duplicateKeys,
  unknownFields,
]

/** @throws when an attack is listed by name and not defined */
export function findAttack(name: AttackName): Attack {
  const attack = ATTACKS.find((candidate) => candidate.name === name)
  if (!attack) throw new Error(`No attack is called ${name}.`)
  return attack
}

/** The attacks with these names, all by default, in the order of `ATTACK_NAMES`. */
export function selectAttacks(names: readonly string[] = ATTACK_NAMES): Attack[] {
  return ATTACK_NAMES.filter((name) => names.includes(name)).map(findAttack)
}
