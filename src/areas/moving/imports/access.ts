import { readScope } from '#src/areas/learning/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { findVisible, type ImportRow, lockImport, type Visible } from './import/queries.ts'
import { errorsOfRights } from './import/rules.ts'
import type { Kind } from './import/schema.ts'

/** The imports of a kind that a caller may see: all for staff, and for lecturers of a course those that they started. */
export const readVisible = async (context: AsCaller, kind: Kind): Promise<Visible> => {
  if (kind === 'learning') await readScope(context)
  else guardPassed(context.db)
  return { kind, starterId: isStaff(context.caller) ? undefined : context.caller.member.id }
}

const noImport = (): Refusal => new Refusal(notFound, 'There is no such import.')

/** The import in a path; refuses with 404 where the caller may see none. */
export const getImport = async (context: AsCaller, kind: Kind, id: string): Promise<ImportRow> => {
  const visible = await readVisible(context, kind)
  const row = await findVisible(context.db, context.school.id, visible, id)
  if (row === undefined) throw noImport()
  return row
}

/** The same, locked until the transaction ends. */
export const lockVisibleImport = async (context: AsCaller, kind: Kind, id: string): Promise<ImportRow> => {
  await getImport(context, kind, id)
  const row = await lockImport(context.db, context.school.id, id)
  if (row === undefined) throw noImport()
  return row
}

/** Refuses callers whose role lacks what the import writes: staff may have chosen it, or the caller was staff before. */
export const checkRights = ({ caller }: AsCaller, row: ImportRow): void => {
  if (errorsOfRights(caller, row).length === 0) return
  throw new Refusal(roleRequired, 'Only staff may do what the columns or the options of this import say.')
}
