import type { HookPlace } from '#src/contract/hook.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { findGroup, GroupRow } from './queries.ts'

/** The group in a path, read with or without a lock; refuses when there is none. */
export const getGroup = async (find: typeof findGroup, { db, school }: HookPlace, ref: string): Promise<GroupRow> => {
  const row = await find(db, school.id, ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such group.')
  return row
}
