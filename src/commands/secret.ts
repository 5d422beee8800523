import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#src/config.ts'
import type { Db } from '#src/contract/db.ts'
import { closedKeys, listSealedKeys, type SealedKeyRow } from '#src/db/sealed-keys.ts'
import { exitCodes, Failed } from './command.ts'

/** The secret of an installation, or the problem with it; a secret that does not unseal every key comes with both. */
export type SecretState = { readonly secret: string | undefined; readonly problem: Failed | undefined }

const SHORTEST = 32
const LOST = 'if it is permanently lost: stoa keys replace-lost'

/** The file that holds the secret while STOA_SECRET is unset. */
const secretFile = (config: Config): string => join(config.dataFolder, 'secret')

const readCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

// A file that exists and cannot be read may still contain a secret.
const readSecret = async (config: Config): Promise<string | undefined> => {
  const path = secretFile(config)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(readCode(error))) return undefined
    throw new Failed(`the secret cannot be read: ${error instanceof Error ? error.message : error}`)
  })
  if (text === undefined || text.trim().length >= SHORTEST) return text?.trim()
  throw new Failed(
    `${path} does not hold a secret: it has fewer than ${SHORTEST} characters; restore the original file`,
    exitCodes.needsPerson,
  )
}

/** The installation's secret, if there is one; none is created. */
export const findSecret = async (config: Config): Promise<string | undefined> => {
  const { secret } = config
  if (secret === undefined) return readSecret(config)
  if (secret.length < SHORTEST) throw new Failed(`STOA_SECRET must have ${SHORTEST} characters or more`)
  return secret
}

/** The secret of an installation with an external database, where none is ever created. */
export const requireSecret = async (config: Config): Promise<string> => {
  const secret = await findSecret(config)
  if (secret !== undefined) return secret
  throw new Failed('STOA_SECRET is required with STOA_DATABASE_URL; create one with: openssl rand -base64 32')
}

// Returns when the text is on the disk, and not only in memory.
const writeThrough = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

// Windows does not open folders, and needs none of this.
const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** Creates a secret, which is on the disk under its name before anything is sealed with it. */
export const makeSecret = async (config: Config): Promise<string> => {
  const path = secretFile(config)
  const draft = `${path}.${randomUUID()}`
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  try {
    await writeThrough(draft, `${randomBytes(32).toString('base64url')}\n`)
    // Not rename(): if two processes create one at once, both use the first one.
    await link(draft, path).catch((error: unknown) => {
      if (readCode(error) !== 'EEXIST') throw error
    })
    await syncFolder(config.dataFolder)
  } finally {
    await rm(draft, { force: true })
  }
  const stored = await readSecret(config)
  if (stored === undefined) throw new Failed(`the secret in ${path} was removed while it was created`)
  return stored
}

const missing = (config: Config, count: number): Failed =>
  new Failed(
    `the secret is missing: there is no file ${secretFile(config)}, and ${count} keys in the database were sealed with it; restore the file from your own copy (no backup contains it), or set STOA_SECRET; ${LOST}`,
    exitCodes.needsPerson,
  )

const wrong = async (
  config: Config,
  keys: readonly SealedKeyRow[],
  closed: readonly SealedKeyRow[],
): Promise<Failed> => {
  const from = config.secret === undefined ? secretFile(config) : 'STOA_SECRET'
  const filed = config.secret === undefined ? undefined : await readSecret(config).catch(() => undefined)
  const isFiled = filed !== undefined && closedKeys(keys, filed).length === 0
  const advice = isFiled
    ? `the one in ${secretFile(config)} does: unset STOA_SECRET`
    : `set the secret they were sealed with; ${LOST}`
  return new Failed(
    `the secret in ${from} does not unseal ${closed.length} of ${keys.length} keys in the database (${closed[0]?.kid}${closed.length > 1 ? ', …' : ''}); ${advice}`,
    exitCodes.needsPerson,
  )
}

/** Compares the secret with the keys in the database; `make` is called if there is neither. */
export const checkSecret = async (
  config: Config,
  shared: Db,
  make: (config: Config) => Promise<string>,
): Promise<SecretState> => {
  const secret = await findSecret(config)
  const keys = await listSealedKeys(shared)
  if (secret === undefined && keys.length > 0) return { secret, problem: missing(config, keys.length) }
  if (secret === undefined) return { secret: await make(config), problem: undefined }
  const closed = closedKeys(keys, secret)
  return { secret, problem: closed.length === 0 ? undefined : await wrong(config, keys, closed) }
}
