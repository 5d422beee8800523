import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { parseSubject, type Subject } from '#src/contract/subject.ts'
import { findSubject, lockComment, noComment, type OpenSubject } from '../comment/access.ts'
import { type CommentRow, findComment, lockThread } from '../comment/queries.ts'
import { isMuted } from './queries.ts'
import { checkOpen, checkParent, commentingMuted } from './rules.ts'

/** The caller's own comment; refuses with 404 when there is none. */
export const getOwnComment = async ({ db, school, caller }: AsCaller, id: string): Promise<CommentRow> => {
  const row = await findComment(db, school.id, id)
  if (row === undefined || row.member_id !== caller.member.id) throw noComment()
  return row
}

/** The caller's own comment, with its thread locked until the transaction ends; refuses with 404 when there is none. */
export const lockOwnComment = async (context: AsCaller, id: string): Promise<CommentRow> => {
  const row = await lockComment(context, id)
  if (row.member_id !== context.caller.member.id) throw noComment()
  return row
}

/** The subject of a new comment of a caller who may comment on it. */
export const getOpenSubject = async (
  context: AsCaller,
  text: string,
): Promise<{ readonly subject: Subject; readonly view: OpenSubject }> => {
  const { db, school, caller } = context
  const subject = parseSubject(text)
  const view = subject && (await findSubject(context, subject))
  if (subject === undefined || view === undefined) {
    refuseInvalid([{ pointer: '/subject', code: 'unknown', message: 'is not something that you can read' }])
    throw noComment()
  }
  checkOpen(view)
  if (await isMuted(db, school.id, caller.member.id))
    throw new Refusal(commentingMuted, 'The staff have stopped you from commenting.')
  return { subject, view }
}

/** The comment that a new one replies to, with its thread locked; refuses one that cannot have a reply. */
export const lockParent = async (
  { db, school }: AsCaller,
  id: string | null | undefined,
  subject: Subject,
): Promise<CommentRow | undefined> => {
  if (id === null || id === undefined) return undefined
  await lockThread(db, school.id, id)
  const parent = await findComment(db, school.id, id)
  checkParent(parent, subject)
  return parent
}
