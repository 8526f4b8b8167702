import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../telemetry/log.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/openers.json', import.meta.url))

/** @param admin - how commands for admins are run here */
function inviteOwner(admin: string): string {
  return `Nobody can sign in yet. Invite an owner: ${admin} account invite --organization <name> --role owner`
}

export interface WelcomeFacts {
  address: string
  /** Address of the portal. */
  portalUrl: string
  /** Of a first start. */
  firstKey: string | undefined
  /** Whether anybody can sign in to the portal. */
  hasAccounts: boolean
  /** Token of the first owner's invitation. */
  firstInvitation: string | undefined
  dataDir: string
}

/** The end of a start where nobody watches. A log is kept and read by others: it says where the first key is, not which. */
export function logReady(
  log: Log,
  { address, firstKey, hasAccounts }: Pick<WelcomeFacts, 'address' | 'firstKey' | 'hasAccounts'>,
): void {
  log.info('ready', { address })
  if (firstKey !== undefined) log.info('The first test key is in the file first-key of DATA_DIR.')
  if (!hasAccounts) log.info(inviteOwner('node dist/main.js admin'))
}

/**
 * What a newcomer needs, as the last lines of a start: address, key and invitation (the first time) and a curl line that
 * works.
 */
export function printWelcome(facts: WelcomeFacts): void {
  const keyFile = path.join(facts.dataDir, 'first-key')
  const key = existsSync(keyFile) ? `$(cat ${keyFile})` : '<API_KEY>'
  const lines = [
    '',
    `  Ready at ${facts.address}`,
    ...(facts.firstKey === undefined
      ? []
      : [`  Your test key, shown once (also in ${keyFile}):`, `  ${facts.firstKey}`]),
    '',
    ...(facts.firstInvitation === undefined
      ? [
          `  Portal: ${facts.portalUrl}`,
          ...(facts.hasAccounts ? [] : [`  ${inviteOwner('npm run admin --')}`]),
        ]
      : [
          '  Open the portal as its first owner (works once, within 72 hours):',
          `  ${facts.portalUrl}/invitation/${facts.firstInvitation}`,
        ]),
    '',
    '  Try it:',
    `  curl -s ${facts.address}/v1/conversation/openers -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d @${EXAMPLE}`,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
