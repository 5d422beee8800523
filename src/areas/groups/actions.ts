import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import type { findGroup, GroupRow } from './queries.ts'
import type { Group } from './schema.ts'

/** A group as staff read it. */
export const groupView = ({ name_folded: _, ...row }: GroupRow): Static<typeof Group> => ({
  ...row,
  id: toId('grp', row.id),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** The group a path names, found or held in one of the ways there are; refuses when there is none. */
export const getGroup = async (
  find: typeof findGroup,
  { db, school }: { readonly db: Db; readonly school: School },
  ref: string,
): Promise<GroupRow> => {
  const row = await find(db, school.id, ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such group.')
  return row
}

/** A group of the named world, for the examples. */
export const groupExample = { group_id: exampleFrom('grp', 'listGroups') }
