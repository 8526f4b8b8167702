import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { inSnapshot } from '../database/in-snapshot.js'
import type { Database } from '../database/open-database.js'
import { OperatorError } from '../core/operator-error.js'
import type { Organization } from '../organizations/organization.js'
import { ORGANIZATION_TABLES, type OrganizationTable } from './organization-tables.js'

const PAGE_ROWS = 5_000

export interface ExportedFile {
  name: string
  about: string
  rows: number
  sha256: string
}

/**
 * Exports all data of an organisation into a new folder (mode 700): one JSON lines file for each table, with the column
 * names as fields, and a `manifest.json` that describes the files. Times are ISO 8601, binary values hexadecimal. All
 * files come from one snapshot of the database.
 * @throws OperatorError if the folder exists
 */
export async function exportOrganization(
  db: Database,
  organization: Organization,
  { folder, now }: { folder: string; now: number },
): Promise<ExportedFile[]> {
  await createFolder(folder)
  const files = await db.connection().execute((connection) =>
    inSnapshot(connection, async (snapshot) => {
      const written: ExportedFile[] = []
      for (const table of ORGANIZATION_TABLES) {
        written.push(await writeTable(snapshot, { table, folder, organizationId: organization.id }))
      }
      return written
    }),
  )
  const manifest = {
    format: 1,
    organization_id: organization.id,
    name: organization.name,
    exported_at: new Date(now).toISOString(),
    files,
  }
  await fs.writeFile(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
  })
  return files
}

async function createFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(path.dirname(folder), { recursive: true })
    await fs.mkdir(folder, { mode: 0o700 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new OperatorError(`${folder} already exists. Choose a new folder.`, { cause })
  }
}

interface TableExport {
  table: OrganizationTable
  folder: string
  organizationId: string
}

async function writeTable(
  db: Database,
  { table, folder, organizationId }: TableExport,
): Promise<ExportedFile> {
  const name = `${table.table}.jsonl`
  const hash = createHash('sha256')
  let rows = 0
  async function* lines() {
    for await (const row of readRows(db, table, organizationId)) {
      const line = `${JSON.stringify(toExportedRow(row, table))}\n`
      hash.update(line)
      rows += 1
      yield line
    }
  }
  await pipeline(
    Readable.from(lines()),
    createWriteStream(path.join(folder, name), { mode: 0o600 }),
  )
  return { name, about: table.about, rows, sha256: hash.digest('hex') }
}

type Row = Record<string, unknown>

async function* readRows(
  db: Database,
  { table, key, ownedBy, columns: exported = sql`*` }: OrganizationTable,
  organizationId: string,
): AsyncGenerator<Row> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let from = sql`true`
  for (;;) {
    const { rows } = await sql<Row>`
      select ${exported} from ${sql.table(table)} where ${from} and ${ownedBy(organizationId)}
      order by ${columns} limit ${PAGE_ROWS}
    `.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    from = sql`(${columns}) > (${sql.join(key.map((column) => last[column]))})`
  }
}

function toExportedRow(row: Row, { excludedColumns = [] }: OrganizationTable): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !excludedColumns.includes(column))
      .map(([column, value]) => [column, toExportedValue(column, value)]),
  )
}

function toExportedValue(column: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  const isTime = column === 'at' || column === 'deadline' || column.endsWith('_at')
  return isTime && typeof value === 'number' ? new Date(value).toISOString() : value
}
