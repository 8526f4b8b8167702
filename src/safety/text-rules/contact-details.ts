import { atHandles, mailAddresses } from './mail-and-handles.js'
import { otherApps } from './other-apps.js'
import { findsPhoneNumber } from './phone-number.js'
import { compileRules } from './phrase-rule.js'
import { findsWebAddress } from './web-address.js'

const breaksRule = compileRules([...otherApps, ...mailAddresses, ...atHandles])

/** Whether a folded text gives or asks for a way around the app: numbers, addresses, handles, other apps. */
export function findsContactDetails(text: string): boolean {
  return findsPhoneNumber(text) || findsWebAddress(text) || breaksRule(text)
}
