import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type BackupResult, makeBackup } from '#src/db/backup/dump.ts'
import { openDatabase } from '#src/db/database.ts'
import { bytesInWords, inOneLine, locateObjectFolder, parseFile, patiently } from './archive.ts'
import { type Command, Failed, type Run } from './command.ts'
import { type Logins, withOwner } from './installation.ts'
import { checkSecret, findSecret } from './secret.ts'

const PATIENCE_MS = 10_000

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const refuse = async (run: Run, file: string): Promise<void> => {
  if (!(await exists(dirname(file)))) throw new Failed(`there is no folder ${dirname(file)}`)
  if (run.options.force !== true && (await exists(file)))
    throw new Failed(`${file} already exists; name another file, or replace it with --force`)
}

const readSecret = async ({ config }: Run): Promise<string> => {
  const secret = await findSecret(config)
  if (secret !== undefined) return secret
  throw new Failed(
    config.databaseUrl === undefined
      ? `there is no installation in ${config.dataFolder}`
      : 'STOA_SECRET is required with STOA_DATABASE_URL',
  )
}

// A backup whose keys are sealed with another secret than this one could not be restored with either.
const requireOpenKeys = async ({ config }: Run, { ownerUrl }: Logins): Promise<void> => {
  // A standby is a good place to back up from.
  const database = openDatabase(ownerUrl, { max: 1, wait: PATIENCE_MS, readsCopies: true })
  try {
    const { problem } = await checkSecret(config, database.shared, async () => '')
    if (problem !== undefined) throw problem
  } finally {
    await database.close()
  }
}

const reportBackup = (run: Run, file: string, { manifest, checksums, bytes }: BackupResult): void => {
  const { tables, objects } = checksums
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  run.tell(
    {
      file,
      bytes,
      made_at: manifest.made_at,
      postgresql: manifest.postgresql,
      migrations: manifest.migrations.length,
      tables: tables.map(table => ({ name: table.name, rows: table.rows })),
      left_out: manifest.left_out,
      objects: objects === null ? null : { files: objects.files, bytes: objects.bytes },
      secret: manifest.secret,
    },
    [
      `${file}: ${rows} rows of ${tables.length} tables as of ${manifest.made_at}, ${bytesInWords(bytes)}`,
      ...(objects === null ? [] : [`With ${objects.files} uploaded files.`]),
      'STOA_SECRET is not in the backup: store it separately. Without it the signing keys of a restored school cannot be unsealed.',
    ].join('\n'),
  )
}

const run = async (run: Run): Promise<void> => {
  const file = parseFile(run, backup.usage)
  await refuse(run, file)
  const secret = await readSecret(run)
  const tell = patiently(run.progress)
  try {
    const result = await withOwner(run.config, run.progress, async logins => {
      await requireOpenKeys(run, logins)
      return makeBackup({
        ownerUrl: logins.ownerUrl,
        secret,
        objectFolder: locateObjectFolder(run.config),
        file,
        onTable: (name, bytes) => tell(`${name}: ${bytesInWords(bytes)} so far`),
      })
    })
    reportBackup(run, file, result)
  } catch (error) {
    throw inOneLine(error, 'no backup was written')
  }
}

/** Writes everything but the secret to one file, while the server runs. */
export const backup: Command = {
  name: 'backup',
  usage: 'stoa backup FILE [--force]',
  summary: 'Write every school to one file, as of one instant and while the server runs; STOA_SECRET is not in it',
  options: { force: { type: 'boolean' } },
  run,
}
