import type { Db } from '#src/contract/db.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type PostCategoryRow, shareCategories } from './queries.ts'

/** The refusal of a category that does not exist. */
export const noPostCategory = (): Refusal => new Refusal(notFound, 'There is no such category.')

/** The category in a path, of the locked categories; refuses when there is none. */
export const getPostCategoryOf = (all: readonly PostCategoryRow[], ref: string): PostCategoryRow => {
  const slug = ref.startsWith('slug:') ? ref.slice('slug:'.length) : undefined
  const row = all.find(one => (slug === undefined ? one.id === ref : one.slug === slug))
  if (row === undefined) throw noPostCategory()
  return row
}

/** The errors of the `category_ids` of a body; those that exist are locked, so that they stay. */
export const errorsOfPostCategories = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<FieldError[]> => {
  const kept = (await shareCategories(db, schoolId, ids)).map(({ id }) => id)
  return ids.flatMap((id, index) =>
    kept.includes(id)
      ? []
      : [{ pointer: `/category_ids/${index}`, code: 'unknown', message: 'is not a category of posts' }],
  )
}
