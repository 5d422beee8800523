import type { Static } from 'typebox'
import type { HookPlace } from '#src/contract/hook.ts'
import { listCategoriesById } from './queries.ts'
import type { Category } from './schema.ts'
import { categoryView } from './views.ts'

/** Some categories by their ids, as everybody sees them. */
export const categoryViewsById = async (
  { db, school }: HookPlace,
  ids: readonly string[],
): Promise<Static<typeof Category>[]> => (await listCategoriesById(db, school.id, ids)).map(categoryView)
