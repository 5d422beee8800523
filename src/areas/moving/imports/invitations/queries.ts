import type { Db } from '#src/contract/db.ts'
import { ensureJob, repeatJob } from '#src/db/jobs.ts'
import { sql } from '#src/db/sql.ts'

/** The kind of job that invites the people of imports, for all imports of a school. */
export const INVITATIONS_JOB = 'import_invitations'

/** How long to wait before the next people are invited. */
export const PAUSE_SECONDS = 180

/** Begins to invite people, unless that goes on already; the end of a run lets no job end that has not seen it. */
export const inviteSoon = (db: Db, schoolId: string, isEnd: boolean) => {
  const job = { kind: INVITATIONS_JOB, id: schoolId }
  // Not at once where it goes on, however many imports end: they share what is sent in an hour.
  return isEnd
    ? repeatJob(db, schoolId, { ...job, seconds: PAUSE_SECONDS })
    : ensureJob(db, schoolId, { ...job, seconds: 0 })
}

/** Whether an import with invitations runs, or has people who wait for theirs. */
export const isInviting = async (db: Db, schoolId: string): Promise<boolean> =>
  (
    await db.one(sql<{ is_inviting: boolean }>`
      select exists (
        select from imports i
        where i.school_id = ${schoolId} and (
          i.status = 'running' and (i.options ->> 'send_invitations')::boolean
          or i.status in ('stopped', 'completed') and exists (
            select from import_rows r
            where r.school_id = ${schoolId} and r.import_id = i.id and r.is_to_invite))) as is_inviting`)
  ).is_inviting

/** Takes the next people who wait for an invitation, at most so many, from imports that are not undone. */
export const takeInvited = (db: Db, schoolId: string, most: number) =>
  db.all(sql<{ member_id: string; now: Date }>`
    with clock as materialized (select stoa.now() as now), waiting as materialized (
      select r.import_id, r.number from import_rows r
      join imports i on i.school_id = r.school_id and i.id = r.import_id
      where r.school_id = ${schoolId} and r.is_to_invite and i.status in ('running', 'stopped', 'completed')
      order by r.import_id, r.number limit ${most} for update of r skip locked
    )
    update import_rows r set is_to_invite = false from waiting w
    where r.school_id = ${schoolId} and r.import_id = w.import_id and r.number = w.number and r.member_id is not null
    returning r.member_id, (select now from clock) as now`)
