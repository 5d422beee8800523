import type { Config } from '#src/config.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import {
  DataFolderInUse,
  EmbeddedFailed,
  type EmbeddedOptions,
  type EmbeddedState,
  NO_ROOM,
  openEmbedded,
} from '#src/db/embedded/index.ts'
import type { InvalidationUrls } from '#src/db/invalidation.ts'
import { hasCitus, loginState } from '#src/db/login.ts'
import { migrate, migrationState } from '#src/db/migrate.ts'
import { exitCodes, Failed } from './command.ts'
import { checkSecret, makeSecret, requireSecret, type SecretState } from './secret.ts'

/** An open and migrated database, the secret, and how to close them. */
export type Installation = {
  readonly database: OpenDatabase
  readonly appUrl: string
  readonly ownerUrl: string | undefined
  /** The secret, which unseals every key in the database; otherwise reading it throws an error that says what to do. */
  readonly secret: string
  readonly secretState: SecretState
  readonly isEmbedded: boolean
  /** Whether this process started the embedded server, instead of joining a running one. */
  readonly startedHere: boolean
  /** The state of the embedded server, if this process supervises it. */
  state(): EmbeddedState
  stop(): Promise<void>
}

type Opening = {
  readonly config: Config
  readonly mode: 'serve' | 'command'
  readonly onError: (error: Error) => void
  readonly onDiskFull?: () => void
  readonly supervision?: EmbeddedOptions['supervision']
  progress(line: string): void
}

/** The login name in a database URL. */
export const parseLogin = (url: string): string => decodeURIComponent(new URL(url).username)

// Commands that need no secret work without one; reading a missing secret throws the reason.
const withSecret = (parts: Omit<Installation, 'secret'>): Installation => ({
  ...parts,
  get secret(): string {
    const { secret, problem } = parts.secretState
    if (problem !== undefined) throw problem
    if (secret === undefined) throw new Failed('there is no secret')
    return secret
  },
})

const openEmbeddedInstallation = async (opening: Opening): Promise<Installation> => {
  const { config, mode, onError, onDiskFull, progress, supervision } = opening
  const embedded = await openEmbedded({ dataFolder: config.dataFolder, mode, log: progress, supervision })
  const { appUrl, ownerUrl, startedHere, state } = embedded
  let database: OpenDatabase | undefined
  const stop = async (): Promise<void> => {
    await database?.close()
    await embedded.stop()
  }
  try {
    if (mode === 'serve' || startedHere) await migrate(ownerUrl, 'stoa_app')
    database = openDatabase(appUrl, { onError, onDiskFull, wait: config.databaseWait })
    const secretState = await checkSecret(config, database.shared, makeSecret)
    return withSecret({ database, appUrl, ownerUrl, secretState, isEmbedded: true, startedHere, state, stop })
  } catch (error) {
    await stop()
    throw error
  }
}

// Without notifications nothing is cached, so Citus is allowed behind a pooler without a direct connection.
const refuseCitus = async (url: string, { pooler, directDatabaseUrl }: Config): Promise<void> => {
  if ((pooler !== undefined && directDatabaseUrl === undefined) || !(await hasCitus(url))) return
  throw new Failed(
    'the database has the extension citus, with which notifications of revoked tokens do not arrive; set STOA_POOLER=transaction and leave STOA_DIRECT_DATABASE_URL unset, and each token is looked up',
  )
}

const refuseUnsafe = async (url: string, config: Config): Promise<void> => {
  const state = await loginState(url).catch((error: Error) => {
    throw new Failed(`the database does not answer: ${error.message}`)
  })
  if (state.length > 0)
    throw new Failed(
      `the login of STOA_DATABASE_URL ${state.join(' and ')}; use one that owns nothing (run stoa doctor for details)`,
    )
  await refuseCitus(url, config)
  const { waiting } = await migrationState(url)
  if (waiting.length > 0) throw new Failed(`${waiting.length} migrations are waiting; run: stoa migrate`)
}

const openExternal = async (url: string, { config, onError, onDiskFull }: Opening): Promise<Installation> => {
  await requireSecret(config)
  await refuseUnsafe(url, config)
  const database = openDatabase(url, { onError, onDiskFull, pooler: config.pooler, wait: config.databaseWait })
  const stop = (): Promise<void> => database.close()
  const parts = { appUrl: url, ownerUrl: config.ownerDatabaseUrl, isEmbedded: false, startedHere: false }
  try {
    const secretState = await checkSecret(config, database.shared, requireSecret)
    return withSecret({ ...parts, database, secretState, state: () => 'running', stop })
  } catch (error) {
    await stop()
    throw error
  }
}

// After a full disk a later start may work; missing data is also missing at the next start.
const EXIT_CODES = { disk_full: exitCodes.tryLater, data_missing: exitCodes.needsPerson, other: exitCodes.failed }

/** A failure of the embedded database as the failure of a command. */
export const asFailed = (error: unknown): unknown => {
  if (error instanceof DataFolderInUse) return new Failed(error.message)
  if (error instanceof EmbeddedFailed) return new Failed(error.message, EXIT_CODES[error.failure])
  if (error instanceof Error && NO_ROOM.test(error.message))
    return new Failed(`a disk is full: ${error.message}`, exitCodes.tryLater)
  return error
}

/** The URLs to listen for changes; undefined behind a pooler without a direct connection. */
export const findChanges = ({ appUrl }: Installation, config: Config): InvalidationUrls | undefined => {
  const { pooler, directDatabaseUrl } = config
  const listenUrl = pooler === undefined ? appUrl : directDatabaseUrl
  return listenUrl === undefined ? undefined : { listenUrl, writeUrl: appUrl, pooler }
}

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

/** Opens the installation for one command and closes it afterwards. */
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

const PATIENT_WAIT_MS = 600_000

/** Calls back with a database whose queries wait for their turn as long as a busy computer needs, since nobody waits for a page. */
export const withPatience = async <T>(
  { appUrl }: Pick<Installation, 'appUrl'>,
  { pooler }: Pick<Config, 'pooler'>,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> => {
  const database = openDatabase(appUrl, { pooler, wait: PATIENT_WAIT_MS })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** The two logins of a database, whatever is in it. */
export type Logins = { readonly ownerUrl: string; readonly appLogin: string }

/** Calls back with the logins of the database without changing it; an embedded one is started as needed. */
export const withOwner = async <T>(
  config: Config,
  progress: (line: string) => void,
  work: (logins: Logins) => Promise<T>,
): Promise<T> => {
  const { databaseUrl, ownerDatabaseUrl, dataFolder } = config
  if (databaseUrl !== undefined) {
    if (ownerDatabaseUrl === undefined) throw new Failed('STOA_OWNER_DATABASE_URL is required for this')
    return work({ ownerUrl: ownerDatabaseUrl, appLogin: parseLogin(databaseUrl) })
  }
  const embedded = await openEmbedded({ dataFolder, mode: 'command', log: progress }).catch((error: unknown) => {
    throw asFailed(error)
  })
  try {
    return await work({ ownerUrl: embedded.ownerUrl, appLogin: parseLogin(embedded.appUrl) })
  } finally {
    await embedded.stop()
  }
}
