import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import { personalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import { usage } from '#src/contract/usage.ts'
import { toId } from '#src/kit/ids.ts'
import { listOfMember, listOwnFiles, moveFiles, type OwnFile } from './files/queries.ts'
import { countStorage, releaseQuota } from './uploads/queries.ts'
import { usesOf } from './hooks.ts'

// Their picture, the copies of their data, and what nothing refers to; what does refer to a file decides about it itself.
const forget = async (memberId: string, school: School, db: Db): Promise<void> => {
  const rows = await listOfMember(db, school.id, memberId)
  if (rows.length === 0) return
  const uses = (await usesOf.ask({ fileIds: rows.map(({ id }) => id) }, { school, db })).flat()
  const used = new Set(uses.map(({ fileId }) => fileId))
  const going = rows.filter(({ id, purpose }) => purpose === 'avatar' || purpose === 'export' || !used.has(id))
  await releaseQuota(
    db,
    school.id,
    going.map(({ id }) => id),
  )
}

const fileRow = (row: OwnFile) => ({
  ...{ id: toId('upl', row.id), purpose: row.purpose, status: row.status, filename: row.filename },
  content_type: row.declared_type,
  byte_size: Number(row.byte_size),
  created_at: row.created_at.toISOString(),
})

/** Answers what earlier rooms ask of this one. */
export const answerQuestions = (): void => {
  memberErasure.answer('storage', ({ memberId }, { school, db }) => forget(memberId, school, db))
  memberMerge.answer('storage', async ({ fromId, intoId }, { school, db }) => {
    await moveFiles(db, school.id, fromId, intoId)
  })
  personalData.answer('storage', async ({ memberId }, { school, db }) => {
    const files = await listOwnFiles(db, school.id, memberId)
    return [{ name: 'uploads', rows: files.map(fileRow) }]
  })
  usage.answer('storage', async (_, { school, db }) => {
    const { bytes, quota, files } = await countStorage(db, school.id)
    return { area: 'storage', counts: { bytes: Number(bytes), quota_bytes: Number(quota), files } }
  })
}
