import type { Static } from 'typebox'
import { fileViews } from '#src/areas/files/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import type { EntryRow, SubmissionRow } from './queries.ts'
import type { OwnSubmission, OwnSubmissionEntry, Submission, SubmissionEntry } from './schema.ts'

const buildGrade = ({ points, max_points, passing_points, accepted }: EntryRow) =>
  points === null || max_points === null || passing_points === null || accepted === null
    ? null
    : { points, max_points, passing_points, accepted }

/** One's own submission in a list. */
export const ownEntryView = (row: EntryRow): Static<typeof OwnSubmissionEntry> => ({
  id: row.id,
  lesson_id: row.lesson_id,
  course_id: row.course_id,
  attempt_number: row.attempt_number,
  status: row.status,
  submitted_at: row.submitted_at,
  due_at: row.due_at,
  late: row.late,
  grade: buildGrade(row),
  decided_at: row.decided_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const renderStudent = ({ member_id: id, member_name: name }: EntryRow) => ({ id, name })

/** A submission in a list for those who grade it. */
export const entryView = (row: EntryRow): Static<typeof SubmissionEntry> => ({
  ...ownEntryView(row),
  student: renderStudent(row),
})

/** One's own submission. */
export const ownSubmissionView = async (
  context: Pick<ReadContext<Caller>, 'db' | 'school' | 'caller' | 'keyFor'>,
  row: SubmissionRow,
): Promise<Static<typeof OwnSubmission>> => {
  const views = await fileViews(context, [...row.file_ids, ...row.feedback_file_ids])
  const files = (ids: readonly string[]) => ids.flatMap(id => views.get(id) ?? [])
  return {
    ...ownEntryView(row),
    text: row.text,
    link: row.link,
    files: files(row.file_ids),
    feedback: row.feedback,
    feedback_files: files(row.feedback_file_ids),
    grader: row.grader_id === null ? null : { id: row.grader_id, name: row.grader_name ?? '' },
  }
}

/** A submission for those who grade it. */
export const submissionView = async (
  context: Pick<ReadContext<Caller>, 'db' | 'school' | 'caller' | 'keyFor'>,
  row: SubmissionRow,
): Promise<Static<typeof Submission>> => ({
  ...(await ownSubmissionView(context, row)),
  student: renderStudent(row),
})
