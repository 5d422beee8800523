import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#src/config.ts'
import type { ChangesPlaces } from '#src/db/changes.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { DataFolderInUse, EmbeddedFailed, openEmbedded } from '#src/db/embedded/index.ts'
import { hasCitus, loginState } from '#src/db/login.ts'
import { migrate, migrationState } from '#src/db/migrate.ts'
import { Failed } from './command.ts'

/** A database that is open and migrated, the secret, and how to end both. */
export type Installation = {
  readonly database: OpenDatabase
  readonly appUrl: string
  readonly ownerUrl: string | undefined
  readonly secret: string
  readonly isEmbedded: boolean
  stop(): Promise<void>
}

type Opening = {
  readonly config: Config
  readonly mode: 'serve' | 'command'
  readonly onError: (error: Error) => void
  progress(line: string): void
}

const secretFile = (config: Config): string => join(config.dataFolder, 'secret')

const readSecret = (config: Config): Promise<string | undefined> =>
  readFile(secretFile(config), 'utf8').then(
    text => text.trim(),
    () => undefined,
  )

const makeSecret = async (config: Config): Promise<string> => {
  const secret = randomBytes(32).toString('base64url')
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  // wx: of two processes that start at once, one makes it and the other reads it.
  await writeFile(secretFile(config), `${secret}\n`, { mode: 0o600, flag: 'wx' }).catch(() => undefined)
  return (await readSecret(config)) ?? secret
}

/** The installation's secret where there is one; none is made. */
export const findSecret = async (config: Config): Promise<string | undefined> =>
  config.secret ?? (await readSecret(config))

const secretOf = async (config: Config): Promise<string> => {
  const secret = await findSecret(config)
  if (secret !== undefined && secret.length >= 32) return secret
  if (secret !== undefined) throw new Failed('STOA_SECRET must have 32 characters or more')
  if (config.databaseUrl === undefined) return makeSecret(config)
  throw new Failed('STOA_SECRET is required with STOA_DATABASE_URL; make one with: openssl rand -base64 32')
}

/** The login name in a database URL. */
export const loginOf = (url: string): string => decodeURIComponent(new URL(url).username)

const openEmbeddedInstallation = async ({ config, mode, onError, progress }: Opening): Promise<Installation> => {
  const embedded = await openEmbedded({ dataFolder: config.dataFolder, mode, log: progress })
  try {
    if (mode === 'serve' || embedded.startedHere) await migrate(embedded.ownerUrl, 'stoa_app')
    const secret = await secretOf(config)
    const database = openDatabase(embedded.appUrl, { onError, wait: config.databaseWait })
    const stop = async (): Promise<void> => {
      await database.close()
      await embedded.stop()
    }
    return { database, appUrl: embedded.appUrl, ownerUrl: embedded.ownerUrl, secret, isEmbedded: true, stop }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

// Where nothing is heard nothing is kept, so behind a pooler without a direct connection Citus is no danger.
const refuseCitus = async (url: string, { pooler, directDatabaseUrl }: Config): Promise<void> => {
  if ((pooler !== undefined && directDatabaseUrl === undefined) || !(await hasCitus(url))) return
  throw new Failed(
    'the database has the extension citus, under which nobody hears that a token was revoked; set STOA_POOLER=transaction and leave STOA_DIRECT_DATABASE_URL unset, and each token is looked up',
  )
}

const refuseUnsafe = async (url: string, config: Config): Promise<void> => {
  const state = await loginState(url).catch((error: Error) => {
    throw new Failed(`the database does not answer: ${error.message}`)
  })
  if (state.length > 0)
    throw new Failed(
      `the login of STOA_DATABASE_URL ${state.join(' and ')}; use one that owns nothing (stoa doctor tells more)`,
    )
  await refuseCitus(url, config)
  const { waiting } = await migrationState(url)
  if (waiting.length > 0) throw new Failed(`${waiting.length} migrations are waiting; run: stoa migrate`)
}

const openExternal = async (url: string, { config, onError }: Opening): Promise<Installation> => {
  const secret = await secretOf(config)
  await refuseUnsafe(url, config)
  const database = openDatabase(url, { onError, pooler: config.pooler, wait: config.databaseWait })
  const stop = (): Promise<void> => database.close()
  return { database, appUrl: url, ownerUrl: config.ownerDatabaseUrl, secret, isEmbedded: false, stop }
}

/** Where this installation hears of changes; undefined behind a pooler without a direct connection. */
export const changesOf = ({ appUrl }: Installation, config: Config): ChangesPlaces | undefined => {
  const { pooler, directDatabaseUrl } = config
  const listenUrl = pooler === undefined ? appUrl : directDatabaseUrl
  return listenUrl === undefined ? undefined : { listenUrl, writeUrl: appUrl, pooler }
}

const asFailed = (error: unknown): unknown =>
  error instanceof DataFolderInUse || error instanceof EmbeddedFailed ? new Failed(error.message) : error

/** Opens the installation the settings describe; the embedded database is started and migrated as needed. */
export const openInstallation = async (opening: Opening): Promise<Installation> => {
  const { databaseUrl } = opening.config
  try {
    return databaseUrl === undefined
      ? await openEmbeddedInstallation(opening)
      : await openExternal(databaseUrl, opening)
  } catch (error) {
    throw asFailed(error)
  }
}

/** Opens the installation for one command and closes it after. */
export const withInstallation = async <T>(
  config: Config,
  progress: (line: string) => void,
  work: (installation: Installation) => Promise<T>,
): Promise<T> => {
  const installation = await openInstallation({ config, mode: 'command', onError: () => undefined, progress })
  try {
    return await work(installation)
  } finally {
    await installation.stop()
  }
}

/** The two logins of a database, whatever is in it. */
export type Logins = { readonly ownerUrl: string; readonly appLogin: string }

/** Hands out the database as its owner sees it, without touching what is in it; an embedded one is started as needed. */
export const withOwner = async <T>(
  config: Config,
  progress: (line: string) => void,
  work: (logins: Logins) => Promise<T>,
): Promise<T> => {
  const { databaseUrl, ownerDatabaseUrl, dataFolder } = config
  if (databaseUrl !== undefined) {
    if (ownerDatabaseUrl === undefined) throw new Failed('STOA_OWNER_DATABASE_URL is required for this')
    return work({ ownerUrl: ownerDatabaseUrl, appLogin: loginOf(databaseUrl) })
  }
  const embedded = await openEmbedded({ dataFolder, mode: 'command', log: progress }).catch((error: unknown) => {
    throw asFailed(error)
  })
  try {
    return await work({ ownerUrl: embedded.ownerUrl, appLogin: loginOf(embedded.appUrl) })
  } finally {
    await embedded.stop()
  }
}
