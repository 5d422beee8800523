import type { SchoolContext } from '#src/contract/context.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { usage } from '#src/contract/usage.ts'
import { toId } from '#src/kit/ids.ts'
import { listOfMember, listOwnFiles, moveFiles, type OwnFile } from './files/queries.ts'
import { usesOf } from './hooks.ts'
import { countStorage, releaseQuota } from './uploads/queries.ts'

// Their picture, the copies of their data, and what nothing refers to; what does refer to a file decides about it
// itself. Invoices stay as long as the law demands.
const forget = async (memberId: string, { school, db }: SchoolContext): Promise<void> => {
  const rows = await listOfMember(db, school.id, memberId)
  if (rows.length === 0) return
  const uses = (await usesOf.call({ fileIds: rows.map(({ id }) => id) }, { school, db })).flat()
  const used = new Set(uses.map(({ fileId }) => fileId))
  const going = rows.filter(
    ({ id, purpose }) => purpose !== 'invoice' && (purpose === 'avatar' || purpose === 'export' || !used.has(id)),
  )
  await releaseQuota(
    db,
    school.id,
    going.map(({ id }) => id),
  )
}

const fileRow = (row: OwnFile) => ({
  id: toId('upl', row.id),
  purpose: row.purpose,
  status: row.status,
  filename: row.filename,
  content_type: row.declared_type,
  byte_size: Number(row.byte_size),
  ...(row.alt === '' ? {} : { alt: row.alt }),
  created_at: row.created_at.toISOString(),
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, ({ memberId }, { school, db }) => forget(memberId, { school, db })),
  implement(memberMerge, async ({ fromId, intoId }, { school, db }) => {
    await moveFiles(db, school.id, fromId, intoId)
  }),
  implement(personalData, async ({ memberId }, { school, db }) => {
    const files = await listOwnFiles(db, school.id, memberId)
    return [{ name: 'uploads', rows: files.map(fileRow) }]
  }),
  implement(usage, async (_, { school, db }) => {
    const { bytes, quota, files } = await countStorage(db, school.id)
    return { area: 'storage', counts: { bytes: Number(bytes), quota_bytes: Number(quota), files } }
  }),
]
