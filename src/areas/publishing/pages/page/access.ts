import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findPageRow, lockPageRow, type PageRow, type PageViewer } from './queries.ts'

const noPage = (): Refusal => new Refusal(notFound, 'There is no such page.')

/** Which pages, and which of their versions, a caller sees. */
export const buildViewer = (caller: Caller): PageViewer => {
  if (isStaff(caller)) return 'staff'
  return caller.member === undefined ? 'anyone' : 'member'
}

/** The page in a path as the caller sees it; refuses with 404 when the caller may not see it. */
export const getPage = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<PageRow> => {
  const row = await findPageRow(db, school.id, buildViewer(caller), ref)
  if (row === undefined) throw noPage()
  return row
}

/** The same, locked until the transaction ends. */
export const lockPage = async (context: AsCaller<Caller>, ref: string): Promise<PageRow> => {
  const id = await lockPageRow(context.db, context.school.id, ref)
  if (id === undefined) throw noPage()
  return getPage(context, id)
}
