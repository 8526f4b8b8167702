import { findsContactDetails } from './text-rules/contact-details.js'
import { findsDrugSale } from './text-rules/drug-sales.js'
import { foldText } from './text-rules/folded-text.js'
import { findsHate } from './text-rules/hate.js'
import { findsInnuendo } from './text-rules/innuendo.js'
import { findsMinorRisk } from './text-rules/minor-safety.js'
import { findsMoneyRequest } from './text-rules/money-requests.js'
import { findObsceneWords } from './text-rules/obscene-words.js'
import { findsSelfHarm } from './text-rules/self-harm.js'
import { findsSexualContent } from './text-rules/sexual-content.js'
import { findsSexualServices } from './text-rules/sexual-services.js'
import { findsThreat } from './text-rules/threats.js'
import { TEXT_RISKS, type TextRisk } from '../packs/text-risks.js'

export type TextAssessment = { safe: true } | { safe: false; category: TextRisk }

/**
 * `bio`: a person wrote it, and may swear and flirt. `generated`: it reaches a stranger in a user's name, and may do
 * neither.
 */
export type TextOrigin = 'bio' | 'generated'

/**
 * Checks an English bio or a generated text with word rules and returns the gravest risk. Reads through spacing, look-alike
 * letters and digits. Takes time linear in the length of the text. For bios a classifier decides together with the rules;
 * docs/safety.md has the accuracy of both.
 */
export function assessText(text: string, origin: TextOrigin = 'bio'): TextAssessment {
  const { plain, unmasked } = foldText(text)
  const readings = unmasked === undefined ? [plain] : [plain, unmasked]
  const found = new Set(readings.flatMap((reading) => [...findRisks(reading, origin)]))
  const category = TEXT_RISKS.find((risk) => found.has(risk))
  return category === undefined ? { safe: true } : { safe: false, category }
}

const DETECTORS: readonly (readonly [TextRisk, (text: string) => boolean])[] = [
  ['minor_safety', findsMinorRisk],
  ['self_harm', findsSelfHarm],
  ['threat', findsThreat],
  ['hate', findsHate],
  ['sexual_services', findsSexualServices],
  ['drug_sale', findsDrugSale],
  ['sexual_content', findsSexualContent],
  ['money_request', findsMoneyRequest],
  ['contact_details', findsContactDetails],
]

function findRisks(reading: string, origin: TextOrigin): Set<TextRisk> {
  const risks = new Set<TextRisk>(findObsceneWords(reading))
  for (const [risk, finds] of DETECTORS) {
    if (!risks.has(risk) && finds(reading)) risks.add(risk)
  }
  if (origin === 'generated' && findsInnuendo(reading)) risks.add('sexual_content')
  if (origin === 'bio') risks.delete('profanity')
  return risks
}
