import { requireLearning } from '#src/areas/enrollments/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { ResourceChange } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { attachFiles, dueOf, getHandIn, ownSubmissionView } from '../submissions/actions.ts'
import {
  deleteSubmission,
  findSubmission,
  insertSubmission,
  lockLatest,
  lockSubmission,
  type SubmissionRow,
  storeWork,
} from '../submissions/queries.ts'
import { checkWaiting, faultsOfWork, isLate, linkAddress, nextNumber, type Work } from '../submissions/rules.ts'
import type { WorkInput } from '../submissions/schema.ts'

type Reading = { readonly db: Db; readonly school: School; readonly caller: SignedIn }
type Writing = Reading & {
  readonly now: Date
  keyFor(purpose: string): Buffer
  requireMatch(revision: number, current: () => unknown): Promise<void>
}

/** What came of a write: the work as it is now, and what is to be told of it. */
export type Done = { readonly row: SubmissionRow; readonly change: ResourceChange; readonly fact: Fact }

const nothing = (): Refusal => new Refusal(notFound, 'You have handed in no such work.')

/** Work that the caller handed in; refuses when there is none. */
export const getOwnSubmission = async ({ db, school, caller }: Reading, ref: string): Promise<SubmissionRow> => {
  const id = fromId('sbm', ref)
  const row = id === undefined ? undefined : await findSubmission(db, school.id, id)
  if (row === undefined || row.member_id !== caller.member.id) throw nothing()
  return row
}

// What is read behind the lock is what the lock holds.
const lockOwn = async (context: Writing, ref: string): Promise<SubmissionRow> => {
  const { id } = await getOwnSubmission(context, ref)
  if ((await lockSubmission(context.db, context.school.id, id)) === 0) throw nothing()
  const row = await getOwnSubmission(context, ref)
  checkWaiting(row)
  await context.requireMatch(row.revision, () => ownSubmissionView(context, row))
  return row
}

const about = (row: Pick<SubmissionRow, 'id' | 'course_id' | 'lesson_id' | 'member_id'>) => ({
  submission: toId('sbm', row.id),
  course: toId('crs', row.course_id),
  lesson: toId('les', row.lesson_id),
  member: toId('mem', row.member_id),
})

const storedLink = (link: string | null): string | null => (link === null ? null : (linkAddress(link) ?? link))

const workOf = (said: WorkInput, before: Work): Work => ({
  text: said.text === undefined ? before.text : said.text,
  link: said.link === undefined ? before.link : storedLink(said.link),
  fileIds: said.file_ids ?? before.fileIds,
})

const NOTHING: Work = { text: null, link: null, fileIds: [] }

/** Hands in work of the caller for a lesson; of two that do so at once one is refused. */
export const submitWork = async (context: Writing, said: WorkInput & { readonly lesson_id: string }): Promise<Done> => {
  const { db, school, caller, now } = context
  const memberId = caller.member.id
  const { lesson, assignment } = await getHandIn(context, said.lesson_id)
  await requireLearning(context, { memberId, lesson })
  const work = workOf(said, NOTHING)
  refuseInvalid(faultsOfWork(work, assignment))
  const number = nextNumber(await lockLatest(db, school.id, { memberId, lessonId: lesson.id }), assignment)
  const due = await dueOf(context, { memberId, lesson }, assignment)
  const late = isLate(assignment, { due, now, number })
  const id = newUuid(now.getTime())
  const keys = { id, member_id: memberId, course_id: lesson.course_id, lesson_id: lesson.id, attempt_number: number }
  const written = await insertSubmission(db, school.id, { ...keys, ...work, due_at: due, late })
  if (written === 0) throw new Refusal(invalidState, 'Work was handed in at the same moment.')
  await attachFiles(context, { id, purpose: 'work', memberId, kept: [] }, work.fileIds)
  const row = await getOwnSubmission(context, toId('sbm', id))
  return {
    row,
    change: { ids: [toId('sbm', id)], fields: Object.keys(said), revision: row.revision },
    fact: { type: 'submission.submitted', payload: { ...about(row), number, late } },
  }
}

/** Changes work of the caller that nobody has decided on; what was changed counts as handed in now. */
export const changeWork = async (context: Writing, ref: string, said: WorkInput): Promise<Done | Pick<Done, 'row'>> => {
  const { db, school, now } = context
  const row = await lockOwn(context, ref)
  const { id } = row
  const before = { text: row.text, link: row.link, fileIds: row.file_ids.map(one => toId('fil', one)) }
  const work = workOf(said, before)
  const fields = changedFields<Work>(before, work)
  if (fields.length === 0) return { row }
  const { lesson, assignment } = await getHandIn(context, toId('les', row.lesson_id))
  const learner = { memberId: row.member_id, lesson }
  await requireLearning(context, learner)
  refuseInvalid(faultsOfWork(work, assignment))
  const due = await dueOf(context, learner, assignment)
  const late = isLate(assignment, { due, now, number: row.attempt_number })
  if ((await storeWork(db, school.id, id, { ...work, due_at: due, late })) === 0)
    throw new Refusal(invalidState, 'The work was decided on at the same moment.')
  if (fields.includes('fileIds'))
    await attachFiles(context, { id, purpose: 'work', memberId: row.member_id, kept: row.file_ids }, work.fileIds)
  const stored = await getOwnSubmission(context, ref)
  return {
    row: stored,
    change: { ids: [ref], fields: Object.keys(said), revision: stored.revision },
    fact: { type: 'submission.updated', payload: { ...about(stored), late } },
  }
}

/** Takes back work of the caller that nobody has decided on. */
export const withdrawWork = async (context: Writing, ref: string): Promise<Done> => {
  const { db, school } = context
  const row = await lockOwn(context, ref)
  if ((await deleteSubmission(db, school.id, row.id)) === 0)
    throw new Refusal(invalidState, 'The work was decided on at the same moment.')
  return { row, change: { ids: [ref], fields: [] }, fact: { type: 'submission.withdrawn', payload: about(row) } }
}
