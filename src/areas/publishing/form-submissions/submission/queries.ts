import type { Db, Statement } from '#src/contract/db.ts'
import { isAddress } from '#src/db/addresses.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { StoredAnswer } from '../answers/schema.ts'
import type { submissionStatuses } from './schema.ts'

/** A stored submission, with the title of the form in its version. */
export type SubmissionRow = {
  readonly id: string
  readonly form_id: string
  readonly form_version: number
  readonly form_title: string
  readonly member_id: string | null
  readonly answers: readonly StoredAnswer[]
  readonly status: (typeof submissionStatuses)[number]
  readonly source_page: string | null
  readonly source_campaign: string | null
  readonly revision: number
  readonly changed_in: string
  readonly submitted_at: Date
}

const columns = sql`s.id, s.form_id, s.form_version, s.member_id, s.answers, s.status, s.source_page, s.source_campaign,
  s.revision, s.changed_in, s.submitted_at, v.title as form_title`

const from = sql`form_submissions s
  join form_versions v on v.school_id = s.school_id and v.form_id = s.form_id and v.number = s.form_version`

/** Which submissions are meant; what is undefined does not matter. */
export type SubmissionFilter = {
  readonly formId?: string | undefined
  readonly memberId?: string | undefined
  readonly version?: number | undefined
  readonly status?: SubmissionRow['status'] | undefined
  readonly since?: Date | undefined
  readonly before?: Date | undefined
  /** An address that somebody answered in a field for addresses. */
  readonly email?: string | undefined
}

const matching = (schoolId: string, filter: SubmissionFilter): Statement =>
  joinConditions(
    sql`s.school_id = ${schoolId} and v.school_id = ${schoolId}`,
    when(filter.formId, id => sql`s.form_id = ${id}`),
    when(filter.memberId, id => sql`s.member_id = ${id}`),
    when(filter.version, number => sql`s.form_version = ${number}::integer`),
    when(filter.status, word => sql`s.status = ${word}`),
    when(filter.since, at => sql`s.submitted_at >= ${at}::timestamptz`),
    when(filter.before, at => sql`s.submitted_at < ${at}::timestamptz`),
    when(filter.email, namesAddress),
  )

/** The submissions of a filter, the newest first. */
export const submissionList = (schoolId: string, filter: SubmissionFilter): List<SubmissionRow> => ({
  columns,
  from,
  where: matching(schoolId, filter),
  id: sql`s.id`,
  sort: '-created_at',
  changedIn: sql`s.changed_in`,
})

/** One submission of a form, or of a member. */
export const findSubmission = (
  db: Db,
  schoolId: string,
  id: string,
  filter: Pick<SubmissionFilter, 'formId' | 'memberId'>,
) =>
  db.first(sql<SubmissionRow>`
    select ${columns} from ${from} where ${matching(schoolId, filter)} and s.id = ${id}`)

/** Stores how a submission is marked as its next revision. */
export const storeMark = (db: Db, schoolId: string, id: string, status: SubmissionRow['status']) =>
  db.run(sql`
    update form_submissions set status = ${status}, revision = revision + 1 where school_id = ${schoolId} and id = ${id}`)

/** Submissions with their files, locked until the transaction ends. */
export const lockRows = (
  db: Db,
  schoolId: string,
  which: Statement,
): Promise<{ readonly id: string; readonly files: readonly string[] }[]> =>
  db.all(sql<{ id: string; files: readonly string[] }>`
    select s.id, array(select f.file_id from form_submission_files f
      where f.school_id = ${schoolId} and f.submission_id = s.id) as files
    from form_submissions s where s.school_id = ${schoolId} and ${which} for update of s`)

/** Deletes submissions, in one statement with what names their files. */
export const deleteRows = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    with files as (
      delete from form_submission_files where school_id = ${schoolId} and submission_id = any (${ids}::uuid[])
    )
    delete from form_submissions where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** Which of a form's submissions have these ids. */
export const withIds = (formId: string, ids: readonly string[]): Statement =>
  sql`s.form_id = ${formId} and s.id = any (${ids}::uuid[])`

/** All submissions of a form. */
export const ofForm = (formId: string): Statement => sql`s.form_id = ${formId}`

/** A member, and their address where answers that were sent signed out are looked for by it. */
type Person = { readonly memberId: string; readonly address: string | undefined }

const isNamed = (address: string): Statement => isAddress(sql`a ->> 'value'`, address)

const namesAddress = (address: string): Statement => sql`exists (
  select from json_array_elements(s.answers) as a where a ->> 'type' = 'email' and ${isNamed(address)})`

const namesOthers = (address: string): Statement => sql`exists (
  select from json_array_elements(s.answers) as a where a ->> 'type' = 'email' and not ${isNamed(address)})`

/** All submissions of a person: what they sent signed in, and what was sent signed out with their address and no other one. */
export const ofPerson = ({ memberId, address }: Person): Statement =>
  address === undefined
    ? sql`s.member_id = ${memberId}`
    : sql`(s.member_id = ${memberId}
        or (s.member_id is null and ${namesAddress(address)} and not ${namesOthers(address)}))`

/** Submissions of somebody else, or of several people, in which an address is named. */
const naming = (memberId: string, address: string): Statement => sql`
  s.member_id is distinct from ${memberId} and ${namesAddress(address)}
  and (s.member_id is not null or ${namesOthers(address)})`

const withAddressAlone = (row: SubmissionRow, address: string): SubmissionRow => ({
  ...row,
  answers: row.answers.filter(({ type, value }) => type === 'email' && foldEmail(String(value)) === address),
})

/**
 * What the school has of a person in submissions, the oldest first. Of those that say something of others too it is the answer with
 * their address alone.
 */
export const listPersonSubmissions = async (db: Db, schoolId: string, person: Person): Promise<SubmissionRow[]> => {
  const { memberId, address } = person
  const listed = (which: Statement) =>
    db.all(sql<SubmissionRow>`
      select ${columns} from ${from} where s.school_id = ${schoolId} and v.school_id = ${schoolId} and ${which}
      order by s.submitted_at, s.id`)
  const own = await listed(ofPerson(person))
  if (address === undefined) return own
  const named = await listed(naming(memberId, address))
  return [...own, ...named.map(row => withAddressAlone(row, address))]
}

/** Removes the answers with an address from the submissions of others. */
export const dropAddress = (db: Db, schoolId: string, memberId: string, address: string) =>
  db.run(sql`
    update form_submissions s set revision = s.revision + 1, answers = (
      select coalesce(json_agg(a.answer order by a.place), '[]')
      from json_array_elements(s.answers) with ordinality as a (answer, place)
      where not (a.answer ->> 'type' = 'email' and ${isAddress(sql`a.answer ->> 'value'`, address)}))
    where s.school_id = ${schoolId} and ${naming(memberId, address)}`)

/** Submissions whose retention has ended, at most `most`; read again once they are locked. */
export const expired = (schoolId: string, most: number): Statement => sql`s.id in (
  select o.id from form_submissions o join forms f on f.school_id = o.school_id and f.id = o.form_id
  where o.school_id = ${schoolId} and f.school_id = ${schoolId}
    and o.submitted_at < (select stoa.now()) - make_interval(days => f.retention_days)
  limit ${most})`

/** Moves the submissions of one person to another member. */
export const moveSubmissions = (db: Db, schoolId: string, person: Person, intoId: string) =>
  db.run(sql`
    update form_submissions s set member_id = ${intoId}, revision = s.revision + 1
    where s.school_id = ${schoolId} and ${ofPerson(person)}`)

/** The numbers of submissions of forms, by status. */
export const countByForm = (
  db: Db,
  schoolId: string,
  formIds: readonly string[],
): Promise<{ formId: string; received: number; suspected: number; spam: number }[]> =>
  db.all(sql<{ formId: string; received: number; suspected: number; spam: number }>`
    select s.form_id as "formId", count(*) filter (where s.status = 'received')::integer as received,
      count(*) filter (where s.status = 'suspected')::integer as suspected,
      count(*) filter (where s.status = 'spam')::integer as spam
    from form_submissions s where s.school_id = ${schoolId} and s.form_id = any (${formIds}::uuid[])
    group by s.form_id`)

/** Which submissions refer to files. */
export const listFileUses = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ file_id: string; submission_id: string }[]> =>
  db.all(sql<{ file_id: string; submission_id: string }>`
    select file_id, submission_id from form_submission_files
    where school_id = ${schoolId} and file_id = any (${fileIds}::uuid[])`)
