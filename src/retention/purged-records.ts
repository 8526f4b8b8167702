/** Number of deleted records of one table. */
export interface PurgedRecords {
  records: string
  rows: number
}
