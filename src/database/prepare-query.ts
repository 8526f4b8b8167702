import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
  type QueryResult,
} from 'kysely'
import type { Database } from './open-database.js'
import type { Tables } from './schema.js'

/** Compiles queries but cannot run them. */
const COMPILER = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
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
  const compiled = build(COMPILER, placeholders).compile()
  return (db, values) => {
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    return db.executeQuery({ ...compiled, parameters })
  }
}
