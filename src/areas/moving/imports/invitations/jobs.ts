import { invited } from '#src/areas/people/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/audit.ts'
import { INVITATIONS_JOB, isInviting, PAUSE_SECONDS, takeInvited } from './queries.ts'

// Nine hundred an hour.
const AT_ONCE = 45

const inviteNext = async (db: Db, schoolId: string): Promise<void> => {
  const people = await takeInvited(db, schoolId, AT_ONCE)
  const facts = people.map(({ member_id: id }) => invited({ id }, { inBulk: true }))
  const [first] = people
  if (first !== undefined) await recordFacts(db, { schoolId, now: first.now }, facts)
}

/** Invites people whom imports created, a few at a time, so that no other mail waits for theirs. */
const createInviting =
  ({ database }: Pick<JobParts, 'database'>): JobHandler =>
  async ({ schoolId }) => {
    const goesOn = await database.statements(schoolId, db => isInviting(db, schoolId))
    return { againIn: goesOn ? PAUSE_SECONDS : undefined, settle: db => inviteNext(db, schoolId) }
  }

/** The job of the invitations of imports. */
export const invitationJobs = { [INVITATIONS_JOB]: createInviting }
