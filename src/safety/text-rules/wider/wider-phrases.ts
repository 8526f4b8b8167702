import type { TextRisk } from '../../text-safety.js'
import { compileRules } from '../phrase-rule.js'
import { bed } from './bed.js'
import { contemptOfGroups } from './contempt-of-groups.js'
import { drugOffers } from './drug-offers.js'
import { elsewhere } from './elsewhere.js'
import { menace } from './menace.js'
import { moneyLures } from './money-lures.js'
import { paidCompany } from './paid-company.js'
import { selfDestruction } from './self-destruction.js'
import { youth } from './youth.js'

/**
 * Phrases that speak of a risk in hints and detours. They are read in bios only: what the service writes is held to
 * stricter rules of its own.
 */
export const WIDER_DETECTORS: readonly (readonly [TextRisk, (text: string) => boolean])[] = [
  ['minor_safety', compileRules(youth)],
  ['self_harm', compileRules(selfDestruction)],
  ['threat', compileRules(menace)],
  ['hate', compileRules(contemptOfGroups)],
  ['sexual_services', compileRules(paidCompany)],
  ['drug_sale', compileRules(drugOffers)],
  ['sexual_content', compileRules(bed)],
  ['money_request', compileRules(moneyLures)],
  ['contact_details', compileRules(elsewhere)],
]
