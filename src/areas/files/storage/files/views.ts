import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { filesPublic } from '../hooks.ts'
import type { FileValues } from '../uploads/schema.ts'
import { type FileRow, listFiles } from './queries.ts'
import { computeExpiry, LINKS, nameInAddress, signLink } from './rules.ts'

type LinkedFile = Pick<FileRow, 'id' | 'filename' | 'byte_size' | 'content_type' | 'version' | 'asked_at'>

/** Where links to files are signed. */
export type LinkPlace = Pick<ReadContext, 'school' | 'keyFor'>

/** A file with an address for one person, or for everybody when it is public. */
export const buildLink = (
  row: LinkedFile,
  { school, keyFor }: LinkPlace,
  member: string,
  isPublic: boolean,
): FileValues => {
  const id = toId('fil', row.id)
  const path = `${school.siteOrigin}/files/${id}/${encodeURIComponent(nameInAddress(row))}`
  const plain = {
    file_id: id,
    name: row.filename,
    content_type: row.content_type,
    byte_size: Number(row.byte_size),
  }
  if (isPublic) return { ...plain, url: path, url_expires_at: null }
  const expires = computeExpiry(row.asked_at)
  const query = signLink(keyFor(LINKS), { schoolId: school.id, fileId: row.id, member, expires })
  return { ...plain, url: `${path}?${query}`, url_expires_at: new Date(expires * 1000).toISOString() }
}

/** Which of these files anybody may see. */
export const listPublicIds = async (
  db: Db,
  school: School,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (fileIds.length === 0) return new Set()
  return new Set((await filesPublic.call({ fileIds }, { school, db })).flat())
}

/** What files are embedded with: the caller decides who a signed address is for. */
type Reading = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

/**
 * Files as a resource embeds them, by the ids of their rows. Return them only to callers who may see the resource: each
 * address opens its file to whoever has it, until it expires.
 */
export const fileViews = async (
  { db, school, caller, keyFor }: Reading,
  fileIds: readonly string[],
): Promise<ReadonlyMap<string, FileValues>> => {
  if (fileIds.length === 0) return new Map()
  const [rows, open] = await Promise.all([listFiles(db, school.id, fileIds), listPublicIds(db, school, fileIds)])
  const member = caller.member === undefined ? 'anyone' : toId('mem', caller.member.id)
  return new Map(rows.map(row => [row.id, buildLink(row, { school, keyFor }, member, open.has(row.id))]))
}

/** One file as a resource embeds it; null when there is none. */
export const fileView = async (context: Reading, fileId: string | null): Promise<FileValues | null> =>
  fileId === null ? null : ((await fileViews(context, [fileId])).get(fileId) ?? null)
