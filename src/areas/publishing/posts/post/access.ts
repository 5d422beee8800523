import { type Caller, isAtLeast, isStaff } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { findPostRow, lockPostRow, type PostLine, type PostRow, type PostViewer } from './queries.ts'

/** The caller as the viewer of posts. */
export const buildViewer = (caller: Caller): PostViewer => ({
  memberId: caller.member?.id,
  isStaff: isStaff(caller),
  isWriter: caller.member !== undefined && isAtLeast(caller.member.role, 'lecturer'),
})

/** Whether a caller manages a post: staff and its author do, as long as the author may write. */
export const canManagePost = (caller: Caller, row: Pick<PostLine, 'author_id'>): boolean => {
  const { memberId, isWriter } = buildViewer(caller)
  return isStaff(caller) || (isWriter && row.author_id === memberId)
}

/** Whether a caller may change a post: staff always, its author while it is a draft. */
export const canChangePost = (caller: Caller, row: Pick<PostLine, 'author_id' | 'status'>): boolean =>
  isStaff(caller) || (row.status === 'draft' && canManagePost(caller, row))

/** The post in a path as the caller sees it; refuses with 404 when the caller may not find it. */
export const getPost = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<PostRow> => {
  const row = await findPostRow(db, school.id, buildViewer(caller), ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such post.')
  return row
}

/** The same, locked until the transaction ends. */
export const lockPost = async (context: AsCaller<Caller>, ref: string): Promise<PostRow> => {
  const id = await lockPostRow(context.db, context.school.id, ref)
  if (id === undefined) throw new Refusal(notFound, 'There is no such post.')
  return getPost(context, id)
}

const checkManages = (context: AsCaller<Caller>, row: PostRow): PostRow => {
  if (!canManagePost(context.caller, row))
    throw new Refusal(roleRequired, 'Only staff and the author of the post may do this.')
  guardPassed(context.db)
  return row
}

/** The post in a path, for staff and its author only. */
export const getOwnPost = async (context: AsCaller<Caller>, ref: string): Promise<PostRow> =>
  checkManages(context, await getPost(context, ref))

/** The same, locked. */
export const lockOwnPost = async (context: AsCaller<Caller>, ref: string): Promise<PostRow> =>
  checkManages(context, await lockPost(context, ref))

const checkChanges = (context: AsCaller<Caller>, row: PostRow): PostRow => {
  if (!canChangePost(context.caller, checkManages(context, row)))
    throw new Refusal(roleRequired, 'Only staff may change a post that is not a draft.')
  return row
}

/** The post in a path for those who may change it: staff, and its author while it is a draft. */
export const getChangeablePost = async (context: AsCaller<Caller>, ref: string): Promise<PostRow> =>
  checkChanges(context, await getPost(context, ref))

/** The same, locked. */
export const lockChangeablePost = async (context: AsCaller<Caller>, ref: string): Promise<PostRow> =>
  checkChanges(context, await lockPost(context, ref))

/** Refuses a caller who may not write posts. */
export const checkMayWrite = ({ db, caller }: AsCaller<Caller>): void => {
  const { isWriter, isStaff: isOfStaff } = buildViewer(caller)
  if (!isWriter && !isOfStaff) throw new Refusal(roleRequired, 'Only staff and lecturers can write posts.')
  guardPassed(db)
}
