import { type FileHandle, open } from 'node:fs/promises'
import type { Db } from '#src/contract/db.ts'
import { type BackupCheck, checkBackup, readBeginning } from '#src/db/backup/check.ts'
import { refuseUsed, restoreBackup } from '#src/db/backup/load.ts'
import { listSchools } from '#src/db/schools.ts'
import { dropWaitingMails } from '#src/identity/index.ts'
import { newUuid } from '#src/kit/ids.ts'
import { endRestored } from '#src/oauth/index.ts'
import { inOneLine, locateObjectFolder, parseFile, patiently } from './archive.ts'
import { type Command, Failed, type Run } from './command.ts'
import { type Logins, withOwner } from './installation.ts'
import { findSecret } from './secret.ts'

type Ended = { schools: string[]; approvals: number; mails: number }

const chooseSecret = async ({ config, options }: Run): Promise<string | undefined> => {
  if (options['lost-secret'] === true) return undefined
  const secret = await findSecret(config)
  if (secret !== undefined) return secret
  throw new Failed(
    `the secret of the backed-up installation is needed: set STOA_SECRET${config.databaseUrl === undefined ? `, or put the file \`secret\` into ${config.dataFolder}` : ''}; if it is lost, restore with --lost-secret`,
  )
}

const opened = async (file: string): Promise<FileHandle> => {
  try {
    return await open(file)
  } catch (error) {
    throw new Failed(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

// Tokens from the backup must not work again, and waiting mails were already sent or are outdated.
const endEverything = async (db: Db): Promise<Ended> => {
  const ended: Ended = { schools: [], approvals: 0, mails: 0 }
  for (const { id, baseUrl } of await listSchools(db)) {
    ended.schools.push(baseUrl)
    ended.approvals += await endRestored(db, id, newUuid(Date.now()))
    ended.mails += await dropWaitingMails(db, id)
  }
  return ended
}

const tellRestored = (run: Run, { manifest, checksums }: BackupCheck, { schools, approvals, mails }: Ended): void => {
  const rows = checksums.tables.reduce((sum, table) => sum + table.rows, 0)
  run.tell(
    {
      made_at: manifest.made_at,
      postgresql: manifest.postgresql,
      rows,
      objects: checksums.objects?.files ?? null,
      schools,
      ended: { approvals, mails },
    },
    [
      `Restored ${rows} rows of ${checksums.tables.length} tables as of ${manifest.made_at}: ${schools.join(', ') || 'no school'}`,
      `All sessions and all grants of apps (${approvals}) were ended: people sign in and connect their apps again.`,
      `${mails} waiting mails were deleted. Erase again every member who was erased after ${manifest.made_at}.`,
      ...(run.options['lost-secret'] === true
        ? ['Now replace the keys that were sealed with the old secret: stoa keys replace-lost']
        : []),
    ].join('\n'),
  )
}

const restoreFrom = async (run: Run, file: FileHandle, secret: string | undefined, logins: Logins): Promise<void> => {
  const tell = patiently(run.progress)
  await refuseUsed(logins.ownerUrl)
  run.progress('Checking the backup')
  const checked = await checkBackup(file, secret)
  run.progress('Restoring')
  let ended: Ended | undefined
  await restoreBackup({
    ...logins,
    objectFolder: locateObjectFolder(run.config),
    file,
    checked,
    onTable: (name, rows) => tell(`${name}: ${rows} rows`),
    afterLoad: async db => {
      ended = await endEverything(db)
    },
  })
  if (ended !== undefined) tellRestored(run, checked, ended)
}

const run = async (run: Run): Promise<void> => {
  const path = parseFile(run, restore.usage)
  const secret = await chooseSecret(run)
  const file = await opened(path)
  try {
    await readBeginning(file, secret)
    await withOwner(run.config, run.progress, logins => restoreFrom(run, file, secret, logins))
  } catch (error) {
    throw inOneLine(error, 'nothing was restored')
  } finally {
    await file.close()
  }
}

/** Restores a backup into an empty installation. */
export const restore: Command = {
  name: 'restore',
  usage: 'stoa restore FILE [--lost-secret]',
  summary: 'Restore a backup into an empty installation; ends every session and every grant of an app',
  options: { 'lost-secret': { type: 'boolean' } },
  run,
}
