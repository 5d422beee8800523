import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { StoredAnswer } from '../answers/schema.ts'
import type { SubmissionRow } from '../submission/queries.ts'

/** The instant of the database. */
export const readClock = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select (select stoa.now()) as now`)).now

/** What was stored with a token before. */
type Earlier = { readonly id: string; readonly form_version: number; readonly submitted_at: Date }

/** The submission of a form that was sent with a token. */
export const findByToken = (db: Db, schoolId: string, formId: string, tokenHash: Buffer) =>
  db.first(sql<Earlier>`
    select s.id, s.form_version, s.submitted_at from form_submissions s
    where s.school_id = ${schoolId} and s.form_id = ${formId} and s.token_hash = ${tokenHash}`)

/** Whether a member has submitted a form. */
export const hasSubmitted = async (db: Db, schoolId: string, formId: string, memberId: string): Promise<boolean> =>
  (await db.first(sql`
    select from form_submissions s
    where s.school_id = ${schoolId} and s.member_id = ${memberId} and s.form_id = ${formId} and s.status <> 'spam'
    limit 1`)) !== undefined

/**
 * How many submissions a locked form has that are not spam, and how many came in the last hour; each is counted up to a
 * number.
 */
export const countTaken = (
  db: Db,
  schoolId: string,
  formId: string,
  most: { readonly taken: number; readonly lately: number },
): Promise<{ readonly taken: number; readonly lately: number }> =>
  db.one(sql<{ taken: number; lately: number }>`
    select (select count(*)::integer from (select from form_submissions s
        where s.school_id = ${schoolId} and s.form_id = ${formId} and s.status in ('received', 'suspected')
        limit ${most.taken}) as counted) as taken,
      (select count(*)::integer from (select from form_submissions s
        where s.school_id = ${schoolId} and s.form_id = ${formId}
          and s.submitted_at > (select stoa.now()) - interval '1 hour'
        limit ${most.lately}) as late) as lately`)

/** A submission to be stored. */
type NewSubmission = Pick<
  SubmissionRow,
  'id' | 'form_id' | 'form_version' | 'member_id' | 'status' | 'source_page' | 'source_campaign'
> & {
  readonly answers: readonly StoredAnswer[]
  readonly tokenHash: Buffer | undefined
  readonly now: Date
}

/** Stores a submission. */
export const insertSubmission = (db: Db, schoolId: string, row: NewSubmission) =>
  db.run(sql`
    insert into form_submissions (school_id, id, form_id, form_version, member_id, token_hash, answers, status, source_page,
      source_campaign, submitted_at)
    values (${schoolId}, ${row.id}, ${row.form_id}, ${row.form_version}, ${row.member_id}, ${row.tokenHash ?? null},
      ${JSON.stringify(row.answers)}::json, ${row.status}, ${row.source_page}, ${row.source_campaign}, ${row.now})`)

/** Stores which files answer which fields of a submission. */
export const insertFiles = (
  db: Db,
  schoolId: string,
  submissionId: string,
  files: readonly { readonly fieldId: string; readonly fileId: string }[],
) =>
  db.run(sql`
    insert into form_submission_files (school_id, file_id, submission_id, field_id)
    select ${schoolId}::uuid, f.file_id, ${submissionId}::uuid, f.field_id
    from unnest(${files.map(({ fileId }) => fileId)}::uuid[], ${files.map(({ fieldId }) => fieldId)}::text[])
      as f (file_id, field_id)`)

/** Grants marketing mails for a member, by the consent of a form; 0 when they were granted before. */
export const grantMarketing = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    update members set marketing_granted = true, marketing_at = (select stoa.now()), marketing_source = 'form',
      marketing_by_person = true
    where school_id = ${schoolId} and id = ${memberId} and not marketing_granted`)
