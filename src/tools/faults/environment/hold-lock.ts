import BetterSqlite3 from 'better-sqlite3'

/** Holds an exclusive lock on the database file in its first argument until it is killed, and prints `locked`. */
const [file = ''] = process.argv.slice(2)
const sqlite = new BetterSqlite3(file, { fileMustExist: true, timeout: 10_000 })
sqlite.exec('begin exclusive')
process.stdout.write('locked\n')
setInterval(() => {}, 1_000)
