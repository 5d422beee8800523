import { requireLearning } from '#src/areas/learning/enrollments/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { ResourceChange, WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { readDue } from '../submissions/lookups.ts'
import {
  deleteSubmission,
  insertSubmission,
  lockLatest,
  type SubmissionRow,
  storeWork,
} from '../submissions/queries.ts'
import { aboutSubmission, errorsOfWork, isLate, linkAddress, nextNumber, type Work } from '../submissions/rules.ts'
import type { WorkInput } from '../submissions/schema.ts'
import { attachFiles } from '../submissions/writes.ts'
import { getAssignmentToSubmit, getOwnSubmission, lockOwnSubmission } from './access.ts'

/** The result of a write: the submission as it is now, and what to record. */
type WorkChange = { readonly row: SubmissionRow; readonly change: ResourceChange; readonly fact: Fact }

const storedLink = (link: string | null): string | null => (link === null ? null : (linkAddress(link) ?? link))

const buildWork = (input: WorkInput, before: Work): Work => ({
  text: input.text === undefined ? before.text : input.text,
  link: input.link === undefined ? before.link : storedLink(input.link),
  fileIds: input.file_ids ?? before.fileIds,
})

const NO_WORK: Work = { text: null, link: null, fileIds: [] }

/** Submits work of the caller for a lesson; of two submissions at the same moment one is refused. */
export const submitWork = async (
  context: WriteContext,
  input: WorkInput & { readonly lesson_id: string },
): Promise<WorkChange> => {
  const { db, school, caller, now } = context
  const memberId = caller.member.id
  const { lesson, assignment } = await getAssignmentToSubmit(context, input.lesson_id)
  await requireLearning(context, { memberId, lesson })
  const work = buildWork(input, NO_WORK)
  refuseInvalid(errorsOfWork(work, assignment))
  const number = nextNumber(await lockLatest(db, school.id, { memberId, lessonId: lesson.id }), assignment)
  const due = await readDue(context, { memberId, lesson }, assignment)
  const late = isLate(assignment, { due, now, number })
  const id = newUuid(now.getTime())
  const keys = { id, member_id: memberId, course_id: lesson.course_id, lesson_id: lesson.id, attempt_number: number }
  const inserted = await insertSubmission(db, school.id, { ...keys, ...work, due_at: due, late })
  if (inserted === 0) throw new Refusal(invalidState, 'Work was submitted at the same moment.')
  await attachFiles(context, { id, purpose: 'work', memberId, attachedIds: [] }, work.fileIds)
  const row = await getOwnSubmission(context, id)
  return {
    row,
    change: { ids: [toId('sbm', id)], fields: Object.keys(input), revision: row.revision },
    fact: { type: 'submission.submitted', payload: { ...aboutSubmission(row), number, late } },
  }
}

/** Changes a submission of the caller that is not decided; it then counts as submitted now. */
export const changeWork = async (
  context: WriteContext,
  ref: string,
  input: WorkInput,
): Promise<WorkChange | Pick<WorkChange, 'row'>> => {
  const { db, school, now } = context
  const row = await lockOwnSubmission(context, ref)
  const { id } = row
  const before = { text: row.text, link: row.link, fileIds: row.file_ids }
  const work = buildWork(input, before)
  const fields = changedFields<Work>(before, work)
  if (fields.length === 0) return { row }
  const { lesson, assignment } = await getAssignmentToSubmit(context, row.lesson_id)
  const learner = { memberId: row.member_id, lesson }
  await requireLearning(context, learner)
  refuseInvalid(errorsOfWork(work, assignment))
  const due = await readDue(context, learner, assignment)
  const late = isLate(assignment, { due, now, number: row.attempt_number })
  const changed = await storeWork(db, school.id, id, { ...work, due_at: due, late })
  if (changed === undefined) throw new Refusal(invalidState, 'The work was decided on at the same moment.')
  const attached = { id, purpose: 'work', memberId: row.member_id, attachedIds: row.file_ids } as const
  const file_ids = fields.includes('fileIds') ? await attachFiles(context, attached, work.fileIds) : row.file_ids
  const stored = { ...row, ...changed, file_ids }
  return {
    row: stored,
    change: { ids: [toId('sbm', row.id)], fields: Object.keys(input), revision: stored.revision },
    fact: { type: 'submission.updated', payload: { ...aboutSubmission(stored), late } },
  }
}

/** Withdraws a submission of the caller that is not decided. */
export const withdrawWork = async (context: WriteContext, ref: string): Promise<WorkChange> => {
  const { db, school } = context
  const row = await lockOwnSubmission(context, ref)
  if ((await deleteSubmission(db, school.id, row.id)) === 0)
    throw new Refusal(invalidState, 'The work was decided on at the same moment.')
  return {
    row,
    change: { ids: [toId('sbm', row.id)], fields: [] },
    fact: { type: 'submission.withdrawn', payload: aboutSubmission(row) },
  }
}
