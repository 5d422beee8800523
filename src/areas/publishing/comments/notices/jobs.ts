import { operator } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { recordMail } from '#src/identity/index.ts'
import { findSubject, subjectIn } from '../comment/access.ts'
import { commentMails } from './mails.ts'
import { listUndigested, storeDigested, type UndigestedRow } from './queries.ts'

const DAY = 24 * 3600

// So many comments are counted in one digest; more of them begin another one at once.
const MOST = 500

type Waiting = { readonly lecturerIds: readonly string[]; readonly name: string; readonly count: number }

const waitingIn = async (db: Db, school: School, rows: readonly UndigestedRow[]): Promise<Waiting[]> => {
  const bySubject = Map.groupBy(
    rows.filter(({ is_answered }) => !is_answered),
    ({ subject_id }) => subject_id,
  )
  const found = [...bySubject.values()].map(async group => {
    const [first] = group
    const subject = first && (await findSubject({ db, school, caller: operator }, subjectIn(first)))
    if (subject === undefined || subject.mode === 'off') return []
    return [{ lecturerIds: subject.lecturerIds, name: subject.name, count: group.length }]
  })
  return (await Promise.all(found)).flat()
}

const send = async (db: Db, school: School, rows: readonly UndigestedRow[], now: Date): Promise<void> => {
  const waiting = await waitingIn(db, school, rows)
  const lecturers = new Set(waiting.flatMap(({ lecturerIds }) => lecturerIds))
  for (const id of [...lecturers].sort()) {
    const subjects = waiting
      .filter(({ lecturerIds }) => lecturerIds.includes(id))
      .map(({ name, count }) => [name, String(count)])
    const plan = { kind: commentMails.comments_waiting, values: { subjects }, link: '/staff/comments?unanswered=true' }
    await recordMail(db, school.id, id, plan, now)
  }
  await storeDigested(
    db,
    school.id,
    rows.map(({ id }) => id),
  )
}

/** Mails lecturers once a day how many comments on what they teach wait for an answer, as long as there are new ones. */
export const createDigest =
  (database: Database): JobHandler =>
  async ({ schoolId }) => {
    const count = await database.transaction(schoolId, async (db, now) => {
      const rows = await listUndigested(db, schoolId, MOST)
      if (rows.length > 0) await send(db, await getSchool(db, schoolId), rows, now)
      return rows.length
    })
    if (count === MOST) return { againIn: 0, settle: async () => undefined }
    return { againIn: count === 0 ? undefined : DAY, settle: async () => undefined }
  }
