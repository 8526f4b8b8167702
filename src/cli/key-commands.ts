import { InvalidArgumentError, Option, type Command } from 'commander'
import { formatRecord, formatRows, isoTime, type Row } from './terminal.js'
import { parseCount, requireOrganization, type RunAdmin } from './admin-session.js'
import { createKey, getKeyReference, revokeKey, type IssuedKey } from '../organizations/api-key.js'
import {
  CAPABILITIES,
  ENVIRONMENTS,
  type Capability,
  type Environment,
} from '../organizations/capability.js'
import { listKeys, type KeySummary } from '../organizations/list-keys.js'
import { endGrace, rotateKey } from '../organizations/rotate-key.js'

const DAY_MS = 24 * 60 * 60 * 1_000

interface CreateOptions {
  env: Environment
  name: string
  capabilities: readonly Capability[]
  expiresInDays?: number
  json?: boolean
}

export function addKeyCommands(admin: Command, run: RunAdmin): void {
  const key = admin.command('key').description('API keys.')
  key
    .command('create')
    .description('Create a key; its secret is printed once.')
    .argument('<organization>', 'id or name')
    .addOption(new Option('--env <env>', 'environment').choices(ENVIRONMENTS).default('test'))
    .option('--name <name>', 'what people call the key', 'API key')
    .option(
      '--capabilities <list>',
      `what it may do, separated by commas, of ${CAPABILITIES.join(', ')}`,
      parseCapabilityList,
      CAPABILITIES,
    )
    .option('--expires-in-days <days>', 'when it ends; if not given, never', parseCount)
    .option('--json', 'print JSON')
    .action((idOrName: string, options: CreateOptions) =>
      run(async (session) => {
        const { id } = await requireOrganization(session.db, idOrName)
        const { env: environment, name, capabilities, expiresInDays } = options
        const expiresAt =
          expiresInDays === undefined ? undefined : session.act.now + expiresInDays * DAY_MS
        const input = { organizationId: id, name, environment, capabilities, expiresAt }
        return formatIssued(await createKey(session, input, session.act), options)
      }),
    )
  key
    .command('list')
    .description('List keys, never their secrets.')
    .argument('[organization]', 'id or name; if not given, all')
    .option('--json', 'print JSON')
    .action((idOrName: string | undefined, options: { json?: boolean }) =>
      run(async ({ db, act }) => {
        const organizationId =
          idOrName === undefined ? undefined : (await requireOrganization(db, idOrName)).id
        const keys = await listKeys(db, { organizationId, now: act.now })
        return formatRows(keys.map(keyRow), options)
      }),
    )
  key
    .command('rotate')
    .description('Give a key a new secret; the old one works for 24 more hours.')
    .argument('<key-id>')
    .option('--json', 'print JSON')
    .action((keyId: string, options: { json?: boolean }) =>
      run(async (session) => {
        const reference = await getKeyReference(session.db, keyId)
        return formatIssued(await rotateKey(session, reference, session.act), options)
      }),
    )
  key
    .command('end-grace')
    .description('End the old secret of a rotated key now.')
    .argument('<key-id>')
    .action((keyId: string) =>
      run(async ({ db, act }) => {
        await endGrace(db, await getKeyReference(db, keyId), act)
        return `Only the newest secret of ${keyId} works now.\n`
      }),
    )
  key
    .command('revoke')
    .description('End a key with all its secrets, for good.')
    .argument('<key-id>')
    .action((keyId: string) =>
      run(async ({ db, act }) => {
        await revokeKey(db, await getKeyReference(db, keyId), act)
        return `${keyId} is revoked.\n`
      }),
    )
}

function parseCapabilityList(text: string): readonly Capability[] {
  const wanted = new Set(text.split(',').map((part) => part.trim()))
  const known = CAPABILITIES.filter((capability) => wanted.has(capability))
  if (known.length === wanted.size) return known
  throw new InvalidArgumentError(`It must be of ${CAPABILITIES.join(', ')}.`)
}

function formatIssued({ keyId, apiKey }: IssuedKey, options: { json?: boolean }): string {
  const record = formatRecord({ key_id: keyId, api_key: apiKey }, options)
  return options.json ? record : `${record}The key is not shown again.\n`
}

function keyRow(key: KeySummary): Row {
  return {
    key_id: key.keyId,
    organization_id: key.organizationId,
    name: key.name,
    environment: key.environment,
    status: key.status,
    prefix: key.prefix,
    capabilities: key.capabilities,
    created_at: isoTime(key.createdAt),
    last_used_at: isoTime(key.lastUsedAt),
    expires_at: isoTime(key.expiresAt),
    old_secret_ends_at: isoTime(key.oldSecret?.endsAt ?? null),
  }
}
