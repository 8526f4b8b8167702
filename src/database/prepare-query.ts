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

/** Compiles queries and can run none. */
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
 * Builds and compiles a query once, to be run with other values each time: on the path of every request that costs
 * more than running it. Each value is one parameter of the statement: a list cannot be, nor the null of an `is null`.
 * @param build - is given a stand-in for each value
 */
export function prepareQuery<Values extends object, Row>(
  build: (db: Database, value: Values) => Compilable<Row>,
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  const standIns = new Proxy({} as Values, {
    get: (_target, name) => new Placeholder(String(name)),
  })
  const compiled = build(COMPILER, standIns).compile()
  return (db, values) => {
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    return db.executeQuery({ ...compiled, parameters })
  }
}
