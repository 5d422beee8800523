import type { Database, Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import type { Files, Store } from '#src/contract/store.ts'
import type { FileContent } from './content.views.ts'
import { type FileRow, listFiles } from './queries.ts'

/** The bytes of a file of at most so many; undefined when it is not there or larger. Never within a transaction. */
export const bytesOfFile = async (
  {
    database,
    school,
    files,
  }: { readonly database: Database; readonly school: Pick<School, 'id'>; readonly files: Pick<Files, 'store'> },
  fileId: string,
  most: number,
): Promise<Buffer | undefined> => {
  const [row] = await database.statements(school.id, db => listFiles(db, school.id, [fileId]))
  if (row === undefined || Number(row.byte_size) > most) return undefined
  if ((await files.store.find(row.object_key)) === undefined) return undefined
  return readBytes(files.store, row.object_key)
}

/** The bytes of an object that is known to be small. */
export const readBytes = async (store: Store, key: string): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of store.read(key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A whole file as it is sent. */
export const wholeFile = (row: FileRow, isPublic: boolean): FileContent => ({
  key: row.object_key,
  size: Number(row.byte_size),
  type: row.content_type,
  etag: `"${row.sha256.toString('base64url').slice(0, 22)}"`,
  filename: row.filename,
  isPublic,
})

/**
 * Whether the bytes of a file are there, which is checked before the response starts; a daily job reports missing ones to
 * the operator. Those in a bucket are not checked.
 */
export const isStored = async (
  request: EndpointRequest,
  { store }: Pick<Files, 'store'>,
  { key }: Pick<FileContent, 'key'>,
): Promise<boolean> => {
  if (store.direct !== undefined || (await store.find(key)) !== undefined) return true
  request.logWarning('file_missing', { object: key })
  return false
}

/** Some files that are ready, by the ids of their rows. */
export const filesById = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FileRow>> => new Map((await listFiles(db, schoolId, ids)).map(row => [row.id, row]))
