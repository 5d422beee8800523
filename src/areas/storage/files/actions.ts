import type { Caller } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { filesPublic } from '../hooks.ts'
import type { FileShown, Purpose } from '../uploads/schema.ts'
import { type FileRow, listFiles, takeFile } from './queries.ts'
import { expiryOf, LINKS, signLink } from './rules.ts'

type Shown = Pick<FileRow, 'id' | 'filename' | 'byte_size' | 'content_type' | 'asked_at'>
type Where = { readonly school: School; keyFor(purpose: string): Buffer }

/** A file with an address for one person, or for everybody when it is public. */
export const linkOf = (row: Shown, { school, keyFor }: Where, member: string, isPublic: boolean): FileShown => {
  const id = toId('fil', row.id)
  const path = `${school.baseUrl}/files/${id}/${encodeURIComponent(row.filename)}`
  const plain = {
    file_id: id,
    name: row.filename,
    content_type: row.content_type,
    byte_size: Number(row.byte_size),
  }
  if (isPublic) return { ...plain, url: path, url_expires_at: null }
  const expires = expiryOf(row.asked_at)
  const query = signLink(keyFor(LINKS), { schoolId: school.id, fileId: row.id, member, expires })
  return { ...plain, url: `${path}?${query}`, url_expires_at: new Date(expires * 1000).toISOString() }
}

/** Which of these files anybody may see. */
export const publicOf = async (db: Db, school: School, fileIds: readonly string[]): Promise<ReadonlySet<string>> => {
  if (fileIds.length === 0) return new Set()
  return new Set((await filesPublic.call({ fileIds }, { school, db })).flat())
}

/**
 * Files as a resource embeds them, by the ids of their rows. Only who may see the resource may be given them: each
 * address opens its file to whoever has it, until it expires.
 */
export const fileViews = async (
  { db, school, caller, keyFor }: Where & { readonly db: Db; readonly caller: Caller },
  fileIds: readonly string[],
): Promise<ReadonlyMap<string, FileShown>> => {
  if (fileIds.length === 0) return new Map()
  const [rows, open] = await Promise.all([listFiles(db, school.id, fileIds), publicOf(db, school, fileIds)])
  const member = caller.member === undefined ? 'anyone' : toId('mem', caller.member.id)
  return new Map(rows.map(row => [row.id, linkOf(row, { school, keyFor }, member, open.has(row.id))]))
}

/** One file as a resource embeds it; null when there is none. */
export const fileView = async (
  context: Parameters<typeof fileViews>[0],
  fileId: string | null,
): Promise<FileShown | null> => (fileId === null ? null : ((await fileViews(context, [fileId])).get(fileId) ?? null))

/** The bytes of a file of at most so many; undefined when it is not there or larger. Never within a transaction. */
export const bytesOfFile = async (
  { database, school, files }: { readonly database: Database; readonly school: School; readonly files: Files },
  fileId: string,
  most: number,
): Promise<Buffer | undefined> => {
  const [row] = await database.statements(school.id, db => listFiles(db, school.id, [fileId]))
  if (row === undefined || Number(row.byte_size) > most) return undefined
  if ((await files.store.find(row.object_key)) === undefined) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of files.store.read(row.object_key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * Takes a file into use in the transaction of the write that refers to it, and gives the id of its row; `pointer` is where
 * the body names it. Refuses what is not ready, for another purpose or, with `memberId`, of somebody else.
 */
export const useFile = async (
  { db, school }: { readonly db: Db; readonly school: School },
  file: {
    readonly id: string
    readonly pointer: string
    readonly purposes: readonly Purpose[]
    readonly memberId?: string
  },
): Promise<string> => {
  const { memberId, purposes } = file
  const row = await takeFile(db, school.id, fromId('fil', file.id), { memberId, purposes })
  if (row !== undefined) return row.id
  throw new Refusal(invalidBody, 'The file cannot be used here.', {
    errors: [{ pointer: file.pointer, code: 'unknown', message: 'is no file that is ready and for this purpose' }],
  })
}
