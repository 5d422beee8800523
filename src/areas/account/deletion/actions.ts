import { erasePerson } from '#src/areas/members/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import type { JobHandler, JobOutcome } from '#src/contract/job.ts'
import { dropJob } from '#src/db/jobs.ts'
import { auditWork, recordFact } from '#src/db/journal.ts'
import { getSchool } from '#src/db/schools.ts'
import { countOwners, recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { DELETION_JOB, findDeletion, findDue, findUnforgotten, forgetDeletion, storeFarewell } from './queries.ts'

const DAY_SECONDS = 24 * 3600
const SOON_SECONDS = 5

const nothing = async (): Promise<void> => undefined
const again = (againIn: number | undefined, settle: JobOutcome['settle'] = nothing): JobOutcome => ({ againIn, settle })

type About = { readonly schoolId: string; readonly memberId: string; readonly now: Date }

// The mail goes before the address does: what is erased leaves no trace, and nothing could be sent to it.
const sayFarewell = async (db: Db, { schoolId, memberId, now }: About): Promise<void> => {
  if ((await storeFarewell(db, schoolId, memberId)) > 0)
    await recordMail(db, schoolId, memberId, { kind: 'account_deleted' }, now)
}

const carryOut = async (db: Db, { schoolId, memberId, now }: About): Promise<void> => {
  const row = await findUnforgotten(db, schoolId, memberId)
  if (row === undefined) return
  if (row.role === 'owner' && row.status === 'active' && (await countOwners(db, schoolId)) === 1)
    throw new Error('the last owner of a school is not deleted')
  const fact = await erasePerson(db, await getSchool(db, schoolId), row)
  await recordFact(db, schoolId, fact, now)
  const done = { operation: 'createAccountDeletion', id: toId('mem', memberId), fields: ['erased'], memberId }
  await auditWork(db, schoolId, done, now)
}

/** Deletes the account that a piece of work is for, once it is due and the last mail is on its way. */
export const createDeleting =
  (database: Database): JobHandler =>
  async ({ schoolId, id: memberId }) => {
    const due = await database.statements(schoolId, db => findDue(db, schoolId, memberId))
    if (due === undefined || !due.is_due) return again(undefined)
    // Somebody else must own the school first.
    if (due.is_last_owner) return again(DAY_SECONDS)
    const about = { schoolId, memberId, now: due.now }
    if (due.farewell_at === null) return again(SOON_SECONDS, db => sayFarewell(db, about))
    return due.waits ? again(SOON_SECONDS) : again(undefined, db => carryOut(db, about))
  }

/** Mails when an account will be deleted. */
export const onDeletionBegun: FactHandler = async ({ payload }, { db, school, now }) => {
  const memberId = fromId('mem', String(payload.member))
  const row = memberId === undefined ? undefined : await findDeletion(db, school.id, memberId)
  if (row === undefined || memberId === undefined) return
  const values = { due: row.due_at.toISOString().slice(0, 10) }
  await recordMail(db, school.id, memberId, { kind: 'deletion_begun', values }, now)
}

/** Forgets the deletion of an account that is gone already, with the work of it. */
export const dropDeletion = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  await forgetDeletion(db, schoolId, memberId)
  await dropJob(db, schoolId, DELETION_JOB, memberId)
}
