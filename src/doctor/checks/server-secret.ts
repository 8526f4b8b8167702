import { hasDatabase } from '../../database/installation.js'
import { databaseFile, type DatabasePlace } from '../../database/open-database.js'
import {
  findSecret,
  isSecretOf,
  type SecretPlace,
} from '../../organizations/check-server-secret.js'
import { secretFileOf, ServerSecretError } from '../../organizations/server-secret.js'
import { failed, ok, type Finding } from '../check.js'
import { withDiagnosis } from '../with-diagnosis.js'

/** Checks that the server secret is there, private and the one that the database was written with. Only reads. */
export async function checkSecret(config: DatabasePlace & SecretPlace): Promise<Finding> {
  const { dataDir, serverSecretFile, postgres } = config
  const file = serverSecretFile ?? secretFileOf(dataDir)
  try {
    const secret = await findSecret(config)
    if (!secret) {
      if (!hasDatabase(databaseFile(dataDir))) return ok('none yet; the first start creates it')
      return failed(
        `${file} is missing, so no key of the database works`,
        'Put the file that belongs to the database there, with mode 600: backups contain it unless they were made with --without-secret.',
      )
    }
    const isRight = await withDiagnosis(
      config,
      async (db) => (await isSecretOf(db, secret)) ?? true,
    )
    if (isRight === undefined) return ok('readable')
    if (isRight) return ok('belongs to the database')
  } catch (error) {
    if (!(error instanceof ServerSecretError)) throw error
    return failed('it cannot be used', error.message)
  }
  return failed(
    'the database was written with another one, so none of its keys work',
    postgres
      ? 'Let SERVER_SECRET_FILE name the file that belongs to the database, in all replicas.'
      : `Restore the file that belongs to the database to ${file}.`,
  )
}
