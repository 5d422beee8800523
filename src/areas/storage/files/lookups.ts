import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import type { Files, Store } from '#src/contract/store.ts'
import { listFiles } from './queries.ts'

/** The bytes of a file of at most so many; undefined when it is not there or larger. Never within a transaction. */
export const bytesOfFile = async (
  {
    database,
    school,
    files,
  }: { readonly database: Database; readonly school: Pick<School, 'id'>; readonly files: Files },
  fileId: string,
  most: number,
): Promise<Buffer | undefined> => {
  const [row] = await database.statements(school.id, db => listFiles(db, school.id, [fileId]))
  if (row === undefined || Number(row.byte_size) > most) return undefined
  if ((await files.store.find(row.object_key)) === undefined) return undefined
  return bytesOf(files.store, row.object_key)
}

/** The bytes of an object that is known to be small. */
export const bytesOf = async (store: Store, key: string): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of store.read(key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
