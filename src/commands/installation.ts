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

/** A database that is open and migrated, the secret, and how to end both. */
export type Installation = {
  readonly database: OpenDatabase
  readonly appUrl: string
  readonly ownerUrl: string | undefined
  /** Opens every key in the database; asking for one that does not throws what to do about it. */
  readonly secret: string
  readonly secretState: SecretState
  readonly isEmbedded: boolean
  /** Whether the embedded server was started by this process and not joined. */
  readonly startedHere: boolean
  /** How the embedded server does, as far as this process looks after it. */
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
export const loginOf = (url: string): string => decodeURIComponent(new URL(url).username)

// What needs no secret works without one; whatever asks for it is told what is wrong.
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

// With a full disk a later start may do; data that is gone is not there at the next start either.
const EXIT_CODES = { disk_full: exitCodes.tryLater, data_missing: exitCodes.needsPerson, other: exitCodes.failed }

/** A failure of the embedded database in the words of a command. */
export const asFailed = (error: unknown): unknown => {
  if (error instanceof DataFolderInUse) return new Failed(error.message)
  if (error instanceof EmbeddedFailed) return new Failed(error.message, EXIT_CODES[error.fault])
  if (error instanceof Error && NO_ROOM.test(error.message))
    return new Failed(`there is no room left on a disk: ${error.message}`, exitCodes.tryLater)
  return error
}

/** Where this installation hears of changes; undefined behind a pooler without a direct connection. */
export const changesOf = ({ appUrl }: Installation, config: Config): InvalidationUrls | undefined => {
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
