import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { usage } from '#src/contract/usage.ts'
import { listOfMember, moveFiles } from './files.queries.ts'
import { countStorage, letGo } from './queries.ts'
import { usesOf } from './questions.ts'

// Their picture, and what nothing refers to; what does refer to a file decides about it itself.
const forget = async (memberId: string, school: School, db: Db): Promise<void> => {
  const rows = await listOfMember(db, school.id, memberId)
  if (rows.length === 0) return
  const uses = (await usesOf.ask({ fileIds: rows.map(({ id }) => id) }, { school, db })).flat()
  const used = new Set(uses.map(({ fileId }) => fileId))
  const going = rows.filter(({ id, purpose }) => purpose === 'avatar' || !used.has(id))
  await letGo(
    db,
    school.id,
    going.map(({ id }) => id),
  )
}

/** Answers what earlier rooms ask of this one. */
export const answerQuestions = (): void => {
  memberErasure.answer('storage', ({ memberId }, { school, db }) => forget(memberId, school, db))
  memberMerge.answer('storage', async ({ fromId, intoId }, { school, db }) => {
    await moveFiles(db, school.id, fromId, intoId)
  })
  usage.answer('storage', async (_, { school, db }) => {
    const { bytes, quota, files } = await countStorage(db, school.id)
    return { area: 'storage', counts: { bytes: Number(bytes), quota_bytes: Number(quota), files } }
  })
}
