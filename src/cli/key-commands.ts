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
  const key = admin.command('key').description('Manage API keys.')
  key
    .command('create')
    .description('Create a key and print its secret, which is never shown again.')
    .argument('<organization>', 'id or name')
    .addOption(new Option('--env <env>', 'environment').choices(ENVIRONMENTS).default('test'))
    .option('--name <name>', 'display name', 'API key')
    .addOption(
      new Option('--capabilities <list>', `comma-separated list of ${CAPABILITIES.join(', ')}`)
        .argParser(parseCapabilityList)
        .default(CAPABILITIES, 'all'),
    )
    .option('--expires-in-days <days>', 'days until the key expires; default: never', parseCount)
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
    .description('List keys, without their secrets.')
    .argument('[organization]', 'id or name; default: all organisations')
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
    .description('Issue a new secret for a key; the old one stays valid for 24 hours.')
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
    .description('Invalidate the old secret of a rotated key immediately.')
    .argument('<key-id>')
    .action((keyId: string) =>
      run(async (session) => {
        await endGrace(session, await getKeyReference(session.db, keyId), session.act)
        return `Only the current secret of ${keyId} is valid now.\n`
      }),
    )
  key
    .command('revoke')
    .description('Permanently revoke a key with all its secrets.')
    .argument('<key-id>')
    .action((keyId: string) =>
      run(async (session) => {
        await revokeKey(session, await getKeyReference(session.db, keyId), session.act)
        return `${keyId} was revoked.\n`
      }),
    )
}

function parseCapabilityList(text: string): readonly Capability[] {
  const wanted = new Set(text.split(',').map((part) => part.trim()))
  const known = CAPABILITIES.filter((capability) => wanted.has(capability))
  if (known.length === wanted.size) return known
  throw new InvalidArgumentError(`Choose from: ${CAPABILITIES.join(', ')}.`)
}

function formatIssued({ keyId, apiKey }: IssuedKey, options: { json?: boolean }): string {
  const record = formatRecord({ key_id: keyId, api_key: apiKey }, options)
  return options.json ? record : `${record}Store the key now: it is not shown again.\n`
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
