import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { NamedGroup } from './queries.ts'

type Find<Row> = (db: Db, schoolId: string, ref: string) => Promise<Row | undefined>

/** The group in a path, read with or without a lock; refuses when there is none. */
export const getGroup = async <Row extends NamedGroup>(
  find: Find<Row>,
  { db, school }: SchoolContext,
  ref: string,
): Promise<Row> => {
  const row = await find(db, school.id, ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such group.')
  return row
}
