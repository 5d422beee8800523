import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import { createGunzip, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { readBytes, readTar } from '#src/db/backup/tar.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { type Ran, stoa } from './stoa.ts'

/** A database with the secret and data folder of an installation, and its commands. */
export type TestInstallation = {
  readonly database: Pick<TestDatabase, 'appUrl' | 'ownerUrl' | 'query'>
  readonly secret: string
  readonly folder: string
  run(...args: string[]): Promise<Ran>
}

const leftovers: (() => Promise<unknown>)[] = []
after(() => Promise.all(leftovers.map(remove => remove())))

/** Creates a folder that is removed after the test file has ended. */
export const testFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-backup-'))
  leftovers.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Returns the settings of a process that belongs to an installation. */
export const buildSettings = ({ database, secret, folder }: Omit<TestInstallation, 'run'>): Record<string, string> => ({
  STOA_DATA: folder,
  STOA_DATABASE_URL: database.appUrl,
  STOA_OWNER_DATABASE_URL: database.ownerUrl,
  STOA_SECRET: secret,
})

/** Returns the installation of an existing database. */
export const createInstallation = async (
  database: TestInstallation['database'],
  secret: string,
): Promise<TestInstallation> => {
  const parts = { database, secret, folder: await testFolder() }
  return { ...parts, run: (...args) => stoa(args, buildSettings(parts)) }
}

/** Creates an installation without a school: already migrated, or with an empty database. */
export const emptyInstallation = async (
  secret: string,
  template: 'stoa' | 'template0' = 'template0',
): Promise<TestInstallation> => {
  const database = await createTestDatabase(template)
  leftovers.push(database.drop)
  return createInstallation(database, secret)
}

/** Reads the entries of a backup into memory. */
export const entriesIn = async (file: string): Promise<Map<string, Buffer>> => {
  const entries = new Map<string, Buffer>()
  for await (const entry of readTar(createReadStream(file).pipe(createGunzip())))
    entries.set(entry.name, await readBytes(entry, 1 << 30))
  return entries
}

/** Writes any entries as a backup. */
export const writeEntries = async (file: string, entries: ReadonlyMap<string, Buffer>): Promise<void> => {
  const archive = pack()
  for (const [name, body] of entries) archive.entry({ name, mtime: new Date(0) }, body)
  archive.finalize()
  await writeFile(file, gzipSync(await buffer(archive)))
}

/** Makes a backup of an installation; returns the command's output. */
export const makeBackup = async (from: TestInstallation, file: string) => {
  const { code, out, err } = await from.run('backup', file, '--json')
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

/** Restores a backup; returns the command's output. */
export const restoreInto = async (to: TestInstallation, file: string) => {
  const { code, out, err } = await to.run('restore', file, '--json')
  assert.equal(code, 0, err)
  return JSON.parse(out)
}
