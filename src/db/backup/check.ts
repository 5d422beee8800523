import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip } from 'node:zlib'
import { availableMigrations } from '../migrate.ts'
import { countRows } from './dump.ts'
import { BackupRefused, damaged } from './errors.ts'
import {
  type Checksums,
  computeFingerprint,
  entryNames,
  type Manifest,
  pieceName,
  readChecksums,
  readManifest,
  type TableSum,
} from './manifest.ts'
import { isObject, objectSum } from './objects.ts'
import { type Entry, readBytes, readTar } from './tar.ts'

/** A backup that was read completely and is intact. */
export type BackupCheck = { readonly manifest: Manifest; readonly checksums: Checksums }

const LARGEST_MANIFEST = 64 << 20
const READ_BYTES = 1 << 18

async function* read(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* unpacked(file: FileHandle): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  pipeline(read(file), gunzip, () => undefined)
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'Z_BUF_ERROR') throw damaged('it is cut short')
    if (code.startsWith('Z_')) throw damaged('it cannot be decompressed')
    throw error
  }
}

/** The entries of a backup, from the first on. */
export const readEntries = (file: FileHandle): AsyncGenerator<Entry> => readTar(unpacked(file))

const firstEntry = async (file: FileHandle): Promise<Buffer> => {
  try {
    for await (const entry of readEntries(file))
      if (entry.name === entryNames.manifest) return await readBytes(entry, LARGEST_MANIFEST)
      else break
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error
  }
  throw new BackupRefused('the file is not a backup of Stoa, or its beginning is damaged')
}

const refuseSecret = ({ secret: { fingerprint } }: Manifest, secret: string | undefined): void => {
  if (secret === undefined || computeFingerprint(secret) === fingerprint) return
  throw new BackupRefused(
    `the backup was made under another STOA_SECRET (its mark is ${fingerprint}, the one set here has ${computeFingerprint(secret)}), so its signing keys would not open; set that one, or, if it is lost, restore with --lost-secret`,
  )
}

const refuseMigrations = async ({ migrations }: Manifest): Promise<void> => {
  const available = new Map((await availableMigrations()).map(({ name, hash }) => [name, hash]))
  const newer = migrations.find(({ name }) => !available.has(name))
  if (newer !== undefined)
    throw new BackupRefused(`the backup was made by a Stoa that knows ${newer.name}, and this one does not; update it`)
  const other = migrations.find(({ name, sha256 }) => available.get(name) !== sha256)
  if (other !== undefined) throw new BackupRefused(`the backup was made after another ${other.name} than this Stoa has`)
}

/** Reads the manifest of a backup; refuses one that this version or this secret cannot restore. */
export const readBeginning = async (file: FileHandle, secret: string | undefined): Promise<Manifest> => {
  const manifest = readManifest(await firstEntry(file))
  refuseSecret(manifest, secret)
  await refuseMigrations(manifest)
  return manifest
}

const tableSums = (tables: Manifest['tables']) => {
  const sums = new Map(tables.map(({ name }) => [name, { rows: 0, bytes: 0, pieces: 0, hash: createHash('sha256') }]))
  return {
    add: async (entry: Entry): Promise<void> => {
      const [, table = ''] = entry.name.split('/')
      const sum = sums.get(table)
      if (sum === undefined || entry.name !== pieceName(table, sum.pieces + 1))
        throw damaged(`${entry.name} is out of place`)
      sum.pieces += 1
      sum.bytes += entry.size
      for await (const chunk of entry.body) {
        sum.hash.update(chunk)
        sum.rows += countRows(chunk)
      }
    },
    end: (): TableSum[] =>
      [...sums].map(([name, { hash, ...counts }]) => ({ name, ...counts, sha256: hash.digest('hex') })),
  }
}

const compare = (found: Pick<Checksums, 'tables' | 'objects'>, { tables, objects }: Checksums): void => {
  const wrong = found.tables.find((table, index) => !isDeepStrictEqual(table, tables[index]))
  if (wrong !== undefined) throw damaged(`table ${wrong.name} is not what was written`)
  if (found.tables.length !== tables.length) throw damaged('a table is missing')
  if (objects !== null && !isDeepStrictEqual(found.objects, objects))
    throw damaged('the objects are not what was written')
}

/** Reads a whole backup and compares every byte with its checksums; without a secret its seal is not checked. */
export const checkBackup = async (file: FileHandle, secret: string | undefined): Promise<BackupCheck> => {
  const manifest = await readBeginning(file, secret)
  const tables = tableSums(manifest.tables)
  const objects = objectSum()
  const small = new Map<string, Buffer>()
  for await (const entry of readEntries(file)) {
    if (entry.name.startsWith('tables/')) await tables.add(entry)
    else if (isObject(entry)) {
      objects.begin(entry.name, entry.size)
      for await (const chunk of entry.body) objects.add(chunk)
    } else small.set(entry.name, await readBytes(entry, LARGEST_MANIFEST))
  }
  const [head, tail, seal] = [entryNames.manifest, entryNames.checksums, entryNames.seal].map(name => small.get(name))
  if (head === undefined || tail === undefined || seal === undefined || small.size !== 3)
    throw damaged('its entries are not those of a backup')
  const checksums = readChecksums(tail, head, seal, secret)
  compare({ tables: tables.end(), objects: objects.end() }, checksums)
  return { manifest: readManifest(head), checksums }
}
