import { clockNow } from '#src/areas/learning/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'
import { listMovable, lockMove, storeProgress } from './queries.ts'
import { announce } from './writes.ts'

// To so many a move is announced in one transaction.
const MAX_MAILS = 100

const announceNext = async (db: Db, schoolId: string, id: string): Promise<void> => {
  const move = await lockMove(db, schoolId, id)
  if (move === undefined || move.ended_at !== null) return
  const where = { db, school: await getSchool(db, schoolId), now: await clockNow(db) }
  const next = await listMovable(db, schoolId, move.price_id, { after: move.after_id, most: MAX_MAILS })
  const facts: Fact[] = []
  let announced = 0
  for (const one of next) {
    const planned = await announce(where, move, one.id)
    if (planned === undefined) continue
    facts.push(...planned)
    announced += 1
  }
  const after = next.at(-1)?.id ?? null
  await storeProgress(db, schoolId, id, { after, announced, isLast: next.length < MAX_MAILS })
  await recordFacts(db, { schoolId, now: where.now }, facts)
}

/** Announces a move to the next holders, in the transaction that settles the job, until all know it. */
export const createAnnouncing =
  (database: Database): JobHandler =>
  async ({ schoolId, id }) => {
    const isLast = await database.statements(schoolId, async db => {
      const move = await lockMove(db, schoolId, id)
      if (move === undefined) return true
      const next = await listMovable(db, schoolId, move.price_id, { after: move.after_id, most: MAX_MAILS })
      return next.length < MAX_MAILS
    })
    return { againIn: isLast ? undefined : 0, settle: db => announceNext(db, schoolId, id) }
  }
