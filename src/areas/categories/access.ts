import type { HookPlace } from '#src/contract/hook.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type CategoryRow, findCategory } from './queries.ts'

/** The category in a path; refuses when there is none. */
export const getNamedCategory = async ({ db, school }: HookPlace, ref: string): Promise<CategoryRow> => {
  const row = await findCategory(db, school.id, ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such category.')
  return row
}

/** The category in a path, of the locked tree; refuses when there is none. */
export const getCategoryOf = (tree: readonly CategoryRow[], ref: string): CategoryRow => {
  const slug = ref.startsWith('slug:') ? ref.slice('slug:'.length) : undefined
  const row = tree.find(one => (slug === undefined ? one.id === ref : one.slug === slug))
  if (row === undefined) throw new Refusal(notFound, 'There is no such category.')
  return row
}
