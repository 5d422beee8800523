import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { sha256 } from '#src/kit/crypto.ts'
import { BackupRefused } from './errors.ts'
import {
  type Checksums,
  entryNames,
  FORMAT,
  fingerprintOf,
  type Manifest,
  pieceName,
  sealOf,
  type TableSum,
} from './manifest.ts'
import { objectEntries } from './objects.ts'
import { type Snapshot, withSnapshot } from './snapshot.ts'
import { backedUpTables, leftOut, quoted, type Table } from './tables.ts'
import { tarEnd, tarEntry } from './tar.ts'

/** What a backup is made of, and where it goes. */
export type BackupParts = {
  readonly ownerUrl: string
  readonly secret: string
  /** Where the installation keeps uploaded files; the folder need not be there. */
  readonly objectFolder: string
  readonly file: string
  /** Hears of each table with the bytes that have passed so far. */
  readonly onTable: (name: string, bytes: number) => void
}

/** A finished backup. */
export type BackupResult = { readonly manifest: Manifest; readonly checksums: Checksums; readonly bytes: number }

const PIECE_BYTES = 4 << 20
// Of 2.8 million rows level 6 makes a file 1 % smaller, for half as much computing again.
const GZIP_LEVEL = 3

async function* pieces(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    held.push(chunk)
    size += chunk.length
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

/** How many rows end in some bytes that COPY wrote: a line feed within a value is written as two characters. */
export const countRows = (bytes: Buffer): number => {
  let rows = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) rows += 1
  return rows
}

type Dumping = BackupParts & { readonly client: pg.Client; readonly seconds: number }

async function* tableEntries(dumping: Dumping, { name, columns }: Table): AsyncGenerator<Buffer, TableSum> {
  const { client, seconds, onTable } = dumping
  const list = columns.map(column => quoted(column)).join(', ')
  const stream = client.query(copyTo(`copy ${quoted(name)} (${list}) to stdout`))
  const hash = createHash('sha256')
  const sum = { rows: 0, bytes: 0, pieces: 0 }
  onTable(name, 0)
  for await (const piece of pieces(stream)) {
    hash.update(piece)
    sum.rows += countRows(piece)
    sum.bytes += piece.length
    sum.pieces += 1
    yield* tarEntry(pieceName(name, sum.pieces), piece.length, seconds, [piece])
    onTable(name, sum.bytes)
  }
  return { name, ...sum, sha256: hash.digest('hex') }
}

const manifestOf = (snapshot: Snapshot, secret: string): Manifest => ({
  format: FORMAT,
  made_at: snapshot.madeAt.toISOString(),
  postgresql: snapshot.postgresql,
  migrations: [...snapshot.migrations],
  secret: { included: false, fingerprint: fingerprintOf(secret) },
  tables: backedUpTables(snapshot.tables).map(({ name, columns }) => ({ name, columns: [...columns] })),
  left_out: [...leftOut],
})

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

async function* archive(dumping: Dumping, manifest: Manifest): AsyncGenerator<Buffer, Checksums> {
  const { secret, seconds, objectFolder } = dumping
  const small = (name: string, body: Buffer) => tarEntry(name, body.length, seconds, [body])
  const head = json(manifest)
  yield* small(entryNames.manifest, head)
  const tables: TableSum[] = []
  for (const table of manifest.tables) tables.push(yield* tableEntries(dumping, table))
  const objects = yield* objectEntries(objectFolder, seconds)
  const checksums = { manifest: sha256(head).toString('hex'), tables, objects }
  const tail = json(checksums)
  yield* small(entryNames.checksums, tail)
  yield* small(entryNames.seal, sealOf(secret, tail))
  yield tarEnd
  return checksums
}

const write = (parts: BackupParts, handle: FileHandle): Promise<Omit<BackupResult, 'bytes'>> =>
  withSnapshot(parts.ownerUrl, async (client, snapshot) => {
    const manifest = manifestOf(snapshot, parts.secret)
    const dumping = { ...parts, client, seconds: Math.floor(snapshot.madeAt.getTime() / 1000) }
    let checksums: Checksums | undefined
    const bytes = async function* () {
      checksums = yield* archive(dumping, manifest)
    }
    await pipeline(bytes, createGzip({ level: GZIP_LEVEL }), packed => handle.writeFile(packed))
    await handle.sync()
    if (checksums === undefined) throw new Error('a backup ended before its end')
    return { manifest, checksums }
  })

const syncFolder = async (folder: string): Promise<void> => {
  // Windows does not open folders, and needs none of this.
  const handle = await open(folder).catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Writes a backup under another name and gives it its own when it is whole and on the disk. */
export const makeBackup = async (parts: BackupParts): Promise<BackupResult> => {
  const { file } = parts
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  const handle = await open(partial, 'wx', 0o600)
  try {
    const made = await write(parts, handle)
    const { ino, size } = await handle.stat()
    if ((await stat(partial)).ino !== ino) throw new BackupRefused(`another backup to ${file} is under way`)
    await rename(partial, file)
    await syncFolder(dirname(file))
    return { ...made, bytes: size }
  } catch (error) {
    const isOurs = (await stat(partial).catch(() => undefined))?.ino === (await handle.stat()).ino
    if (isOurs) await rm(partial, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}
