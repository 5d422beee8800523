import { erasePerson } from '#src/areas/people/members/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler, JobOutcome } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'
import { countOwners, recordMail } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { accountMails } from '../mails.ts'
import { findDue, findUnerased, storeFarewell } from './queries.ts'

const DAY_SECONDS = 24 * 3600
const SOON_SECONDS = 5

const nothing = async (): Promise<void> => undefined
const again = (againIn: number | undefined, settle: JobOutcome['settle'] = nothing): JobOutcome => ({ againIn, settle })

type DueMember = { readonly schoolId: string; readonly memberId: string; readonly now: Date }

// The last mail is sent before the address is erased.
const recordFarewell = async (db: Db, { schoolId, memberId, now }: DueMember): Promise<void> => {
  if ((await storeFarewell(db, schoolId, memberId)) > 0)
    await recordMail(db, schoolId, memberId, { kind: accountMails.account_deleted }, now)
}

const deleteAccount = async (db: Db, { schoolId, memberId, now }: DueMember): Promise<void> => {
  const row = await findUnerased(db, schoolId, memberId)
  if (row === undefined) return
  if (row.role === 'owner' && row.status === 'active' && (await countOwners(db, schoolId)) === 1)
    throw new Error('the last owner of a school cannot be deleted')
  const facts = await erasePerson({ db, school: await getSchool(db, schoolId), now }, row)
  const change = { ids: [toId('mem', memberId)], fields: ['erased'], memberId }
  await recordWorkerChange(db, { schoolId, now, operation: 'createAccountDeletion' }, change, facts)
}

/** Deletes the account that a job is for, once it is due and the last mail was sent. */
export const createDeleting =
  (database: Database): JobHandler =>
  async ({ schoolId, id: memberId }) => {
    const due = await database.statements(schoolId, db => findDue(db, schoolId, memberId))
    if (due === undefined || !due.is_due) return again(undefined)
    // The school needs another owner first.
    if (due.is_last_owner) return again(DAY_SECONDS)
    const about = { schoolId, memberId, now: due.now }
    if (due.farewell_at === null) return again(SOON_SECONDS, db => recordFarewell(db, about))
    return due.waits ? again(SOON_SECONDS) : again(undefined, db => deleteAccount(db, about))
  }
