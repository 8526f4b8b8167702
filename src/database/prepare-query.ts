import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
  type CompiledQuery,
  type QueryResult,
  type RawBuilder,
} from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'
import { PREPARED } from './postgres/named-statements.js'
import type { Tables } from './schema.js'

/** These compile queries but cannot run them. */
const FOR_SQLITE = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
const FOR_POSTGRES = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Builds and compiles a query once and returns a function that runs it with given values. For the short queries on the
 * path of every request, compiling costs more than running. Each value is one bound parameter: a list cannot be one,
 * nor the null of an `is null`.
 * @param build - receives a placeholder for each value
 */
export function prepareQuery<Values extends object, Row>(
  build: (db: Database, value: Values) => Compilable<Row>,
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  const placeholders = new Proxy({} as Values, {
    get: (_target, name) => new Placeholder(String(name)),
  })
  const sqlite = build(FOR_SQLITE, placeholders).compile()
  let postgres: CompiledQuery<Row> | undefined
  return (db, values) => {
    const compiled = isPostgres(db)
      ? (postgres ??= prepareForPostgres(build, placeholders))
      : sqlite
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    return db.executeQuery({ ...compiled, parameters })
  }
}

function prepareForPostgres<Values extends object, Row>(
  build: (db: Database, value: Values) => Compilable<Row>,
  placeholders: Values,
): CompiledQuery<Row> {
  const compiled = build(FOR_POSTGRES, placeholders).compile()
  return { ...compiled, sql: PREPARED + compiled.sql }
}

/** As `prepareQuery`, for a query written in SQL. */
export function prepareSql<Values extends object, Row>(
  build: (db: Database, value: Values) => RawBuilder<Row>,
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  return prepareQuery((db, value: Values) => ({ compile: () => build(db, value).compile(db) }))
}
