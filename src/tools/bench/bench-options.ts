/** Options of `npm run bench`, as a benchmark receives them. */
export interface BenchOptions {
  /** Prints the report as JSON instead of tables. */
  asJson: boolean
  /** Folder for the report as JSON, its tables as Markdown and its plots as SVG. */
  saveTo?: string | undefined
  minutes?: number | undefined
  rounds?: number | undefined
  /** Measures these parts of several. */
  only?: readonly string[] | undefined
  /** Length of a phase. */
  seconds?: number | undefined
  /** How many events there are. */
  events?: number | undefined
  /** Of everything that is drawn at random. */
  seed?: number | undefined
  /** Servers that share a database. */
  replicas?: number | undefined
  /** Events sent at once. */
  batch?: number | undefined
  /** Measures this database instead of, or beside, SQLite. */
  database?: 'postgres' | undefined
  /** Profiles the server process. */
  profile?: boolean | undefined
}
