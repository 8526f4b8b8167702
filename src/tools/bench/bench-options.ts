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
  /** Profiles the server process. */
  profile?: boolean | undefined
}
