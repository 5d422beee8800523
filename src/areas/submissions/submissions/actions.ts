import type { Static } from 'typebox'
import { accessOf, firstStart } from '#src/areas/access/index.ts'
import { type AssignmentRow, findAssignment, notAnAssignment } from '#src/areas/assignments/index.ts'
import type { LessonRow } from '#src/areas/curriculum/index.ts'
import { getLearnersLesson } from '#src/areas/progress/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import { fileViews, useFile } from '#src/areas/storage/index.ts'
import type { Caller, SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { findExtension } from '../extensions/queries.ts'
import { type EntryRow, putFiles, type SubmissionRow } from './queries.ts'
import { dueMoment } from './rules.ts'
import type { OwnSubmission, OwnSubmissionEntry, Submission, SubmissionEntry } from './schema.ts'

type Where = { readonly db: Db; readonly school: School }
type Showing = Where & { readonly caller: Caller; keyFor(purpose: string): Buffer }

const instant = (at: Date | null): string | null => (at === null ? null : at.toISOString())

const gradeOf = ({ points, max_points, passing_points, accepted }: EntryRow) =>
  points === null || max_points === null || passing_points === null || accepted === null
    ? null
    : { points, max_points, passing_points, accepted }

/** Work in a list of one's own. */
export const ownEntryView = (row: EntryRow): Static<typeof OwnSubmissionEntry> => ({
  id: toId('sbm', row.id),
  lesson_id: toId('les', row.lesson_id),
  course_id: toId('crs', row.course_id),
  attempt_number: row.attempt_number,
  status: row.status,
  submitted_at: row.submitted_at.toISOString(),
  due_at: instant(row.due_at),
  late: row.late,
  grade: gradeOf(row),
  decided_at: instant(row.decided_at),
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const studentOf = ({ member_id: id, member_name: name }: EntryRow) => ({ id: toId('mem', id), name })

/** Work in a list for those who grade it. */
export const entryView = (row: EntryRow): Static<typeof SubmissionEntry> => ({
  ...ownEntryView(row),
  student: studentOf(row),
})

/** Work that one handed in oneself. */
export const ownSubmissionView = async (
  showing: Showing,
  row: SubmissionRow,
): Promise<Static<typeof OwnSubmission>> => {
  const views = await fileViews(showing, [...row.file_ids, ...row.feedback_file_ids])
  const files = (ids: readonly string[]) => ids.flatMap(id => views.get(id) ?? [])
  return {
    ...ownEntryView(row),
    text: row.text,
    link: row.link,
    files: files(row.file_ids),
    feedback: row.feedback,
    feedback_files: files(row.feedback_file_ids),
    grader: row.grader_id === null ? null : { id: toId('mem', row.grader_id), name: row.grader_name ?? '' },
  }
}

/** Work for those who grade it. */
export const submissionView = async (showing: Showing, row: SubmissionRow): Promise<Static<typeof Submission>> => ({
  ...(await ownSubmissionView(showing, row)),
  student: studentOf(row),
})

/** A lesson for which work is handed in, with what it asks; refuses where nothing is. */
export const getHandIn = async (
  looking: Where & { readonly caller: SignedIn },
  ref: string,
): Promise<{ readonly lesson: LessonRow; readonly assignment: AssignmentRow }> => {
  const { db, school } = looking
  const lesson = await getLearnersLesson(looking, ref)
  if (lesson.type !== 'assignment') throw new Refusal(notAnAssignment, `This lesson is made of ${lesson.type}.`)
  const assignment = await findAssignment(db, school.id, lesson.id)
  if (assignment === undefined) throw new Refusal(notFound, 'Nobody has written yet what is to be handed in here.')
  return { lesson, assignment }
}

type Learner = { readonly memberId: string; readonly lesson: Pick<LessonRow, 'id' | 'course_id'> }

/** When an assignment is due for somebody, with what was granted to them alone; null: at any time. */
export const dueOf = async (where: Where, learner: Learner, assignment: AssignmentRow): Promise<Date | null> => {
  const { db, school } = where
  const { memberId, lesson } = learner
  const extension = await findExtension(db, school.id, { memberId, lessonId: lesson.id })
  const extended = extension?.due_at
  if (extended !== undefined || assignment.due_days === null)
    return dueMoment(assignment, { extended, start: undefined, zone: undefined })
  const item = { type: 'course', id: lesson.course_id } as const
  const [{ entitlements }, zones] = await Promise.all([
    accessOf(db, school.id, { memberId, item }),
    listTimeZones(db, school.id),
  ])
  return dueMoment(assignment, { extended, start: firstStart(entitlements), zone: zones.at(-1)?.time_zone })
}

/** To what files are attached, and by whom; `kept` are those that are there already, whoever brought them. */
export type Attaching = {
  readonly id: string
  readonly purpose: 'work' | 'feedback'
  readonly memberId: string
  readonly kept: readonly string[]
}

/** Takes somebody's uploads into use and says that they belong to work, in their order. */
export const attachFiles = async (where: Where, to: Attaching, fileIds: readonly string[]): Promise<void> => {
  const ids: string[] = []
  for (const [index, id] of fileIds.entries()) {
    const kept = to.kept.find(one => toId('fil', one) === id)
    const file = { id, pointer: `/file_ids/${index}`, purposes: ['submission'] as const, memberId: to.memberId }
    ids.push(kept ?? (await useFile(where, file)))
  }
  await putFiles(where.db, where.school.id, to, ids)
}
