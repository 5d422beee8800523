import { migrate as migrateDatabase, sharedAddresses } from '#src/db/migrate.ts'
import { type Command, Failed, type Run } from './command.ts'
import { parseLogin, withInstallation } from './installation.ts'

const update = async (run: Run, ownerUrl: string, appLogin: string): Promise<void> => {
  const applied = await migrateDatabase(ownerUrl, appLogin)
  const pairs = applied.length === 0 ? [] : await sharedAddresses(ownerUrl)
  const lines = applied.length === 0 ? ['The schema is up to date.'] : ['Applied:', ...applied.map(name => `  ${name}`)]
  const found = pairs.length === 0 ? [] : ['Not joined:', ...pairs.map(pair => `  ${pair}`)]
  run.tell({ applied, not_joined: pairs }, [...lines, ...found].join('\n'))
}

const run = async (run: Run): Promise<void> => {
  const { databaseUrl, ownerDatabaseUrl } = run.config
  if (databaseUrl === undefined) {
    return withInstallation(run.config, run.progress, ({ ownerUrl }) => update(run, ownerUrl ?? '', 'stoa_app'))
  }
  if (ownerDatabaseUrl === undefined) throw new Failed('STOA_OWNER_DATABASE_URL is required to migrate')
  await update(run, ownerDatabaseUrl, parseLogin(databaseUrl))
}

/** Updates the schema. */
export const migrate: Command = {
  name: 'migrate',
  usage: 'stoa migrate',
  summary: 'Update the schema, with the login of STOA_OWNER_DATABASE_URL',
  options: {},
  run,
}
