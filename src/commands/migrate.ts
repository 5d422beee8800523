import { migrate as migrateDatabase } from '#src/db/migrate.ts'
import { type Command, Failed, type Run } from './command.ts'
import { loginOf, withInstallation } from './installation.ts'

const tellApplied = (run: Run, applied: readonly string[]): void =>
  run.tell(
    { applied },
    applied.length === 0 ? 'The schema is up to date.' : `Applied:\n${applied.map(name => `  ${name}`).join('\n')}`,
  )

const run = async (run: Run): Promise<void> => {
  const { databaseUrl, ownerDatabaseUrl } = run.config
  if (databaseUrl === undefined) {
    return withInstallation(run.config, run.progress, async ({ ownerUrl }) =>
      tellApplied(run, await migrateDatabase(ownerUrl ?? '', 'stoa_app')),
    )
  }
  if (ownerDatabaseUrl === undefined) throw new Failed('STOA_OWNER_DATABASE_URL is required to migrate')
  tellApplied(run, await migrateDatabase(ownerDatabaseUrl, loginOf(databaseUrl)))
}

/** Updates the schema. */
export const migrate: Command = {
  name: 'migrate',
  usage: 'stoa migrate',
  summary: 'Update the schema, with the login of STOA_OWNER_DATABASE_URL',
  options: {},
  run,
}
