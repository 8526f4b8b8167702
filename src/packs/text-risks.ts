/** Reasons to refuse a text, most serious first. `profanity` applies only to generated text. */
export const TEXT_RISKS = [
  'minor_safety',
  'self_harm',
  'threat',
  'hate',
  'sexual_services',
  'drug_sale',
  'sexual_content',
  'money_request',
  'contact_details',
  'profanity',
] as const
export type TextRisk = (typeof TEXT_RISKS)[number]
