import { getSelling } from '#src/areas/school/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type Subject, type SubjectView, subjectOf } from '#src/contract/subject.ts'
import { type CommentRow, findComment, lockThread } from './queries.ts'
import { type CommentMode, type CommentReader, chooseMode, isListed } from './rules.ts'

/** A subject that the caller may read, and how it takes comments. */
export type OpenSubject = SubjectView & { readonly mode: CommentMode }

/** The refusal of a comment that does not exist or that the caller may not read. */
export const noComment = (): Refusal => new Refusal(notFound, 'There is no such comment.')

/** The caller as a reader of comments. */
export const buildReader = (caller: Caller): CommentReader => ({
  isStaff: isStaff(caller),
  memberId: caller.member?.id,
})

/** A subject that the caller may read now; undefined for others. */
export const findSubject = async (
  { db, school, caller }: AsCaller<Caller>,
  subject: Subject,
): Promise<OpenSubject | undefined> => {
  const [found, { comments }] = await Promise.all([
    subjectOf.call({ ...subject, caller }, { db, school }),
    getSelling(db, school.id),
  ])
  const view = found.find(one => one !== undefined)
  const kind = `${subject.type}s` as const
  return view && { ...view, mode: chooseMode(comments[kind], view) }
}

/** Whether the caller reads the comments on a subject: they read the subject, and its comments are shown. */
export const mayReadComments = (caller: Caller, subject: OpenSubject | undefined): boolean =>
  subject !== undefined && (subject.mode !== 'off' || isStaff(caller))

/** What a comment is on. */
export const subjectIn = (row: Pick<CommentRow, 'subject_type' | 'subject_id'>): Subject => ({
  type: row.subject_type,
  id: row.subject_id,
})

/** A comment with its subject, for a caller who may read both; refuses others with 404. */
export const getReadable = async (
  context: AsCaller<Caller>,
  id: string,
): Promise<{ readonly row: CommentRow; readonly subject: OpenSubject }> => {
  const { db, school, caller } = context
  const row = await findComment(db, school.id, id)
  const subject = row && (await findSubject(context, subjectIn(row)))
  if (row === undefined || subject === undefined || !mayReadComments(caller, subject)) throw noComment()
  if (!isListed(row, buildReader(caller))) throw noComment()
  return { row, subject }
}

/** A comment whose thread is locked until the transaction ends; refuses with 404 when there is none. */
export const lockComment = async (
  { db, school }: Pick<AsCaller<Caller>, 'db' | 'school'>,
  id: string,
  refusal = noComment,
): Promise<CommentRow> => {
  const root = await lockThread(db, school.id, id)
  const row = root && (await findComment(db, school.id, id))
  if (row === undefined) throw refusal()
  return row
}
