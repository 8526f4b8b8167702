import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../telemetry/log.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/openers.json', import.meta.url))

/** @param admin - command line prefix of admin commands */
function ownerHint(admin: string): string {
  return `Nobody can sign in to the portal yet. Invite an owner: ${admin} account invite --organization <name> --role owner`
}

export interface WelcomeFacts {
  address: string
  portalUrl: string
  /** Only on the first start. */
  firstKey: string | undefined
  /** Whether anyone can sign in to the portal. */
  hasAccounts: boolean
  /** Token of the first owner's invitation; only on the first start. */
  firstInvitation: string | undefined
  dataDir: string
}

/** Logs that the service is ready. Others may read the log, so it says where the first key is, but not the key. */
export function logReady(
  log: Log,
  { address, firstKey, hasAccounts }: Pick<WelcomeFacts, 'address' | 'firstKey' | 'hasAccounts'>,
): void {
  log.info('ready', { address })
  if (firstKey !== undefined) log.info('The first test key is in the file first-key of DATA_DIR.')
  if (!hasAccounts) log.info(ownerHint('node dist/main.js admin'))
}

/** Prints how to use the service: address, portal, a curl command, and on the first start the key and an invitation. */
export function printWelcome(facts: WelcomeFacts): void {
  const keyFile = path.join(facts.dataDir, 'first-key')
  const key = existsSync(keyFile) ? `$(cat ${keyFile})` : '<API_KEY>'
  const lines = [
    '',
    `  Ready at ${facts.address}`,
    ...(facts.firstKey === undefined
      ? []
      : [
          `  Your test key, shown once (also in ${keyFile}, for a week or until you create a live key):`,
          `  ${facts.firstKey}`,
        ]),
    '',
    ...(facts.firstInvitation === undefined
      ? [
          `  Portal: ${facts.portalUrl}`,
          ...(facts.hasAccounts ? [] : [`  ${ownerHint('npm run admin --')}`]),
        ]
      : [
          '  Open the portal as its first owner (works once, within 72 hours):',
          `  ${facts.portalUrl}/invitation#${facts.firstInvitation}`,
        ]),
    '',
    '  Try it:',
    `  curl -s ${facts.address}/v1/conversation/openers -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d @${EXAMPLE}`,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
