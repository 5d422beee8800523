import { implement } from '#src/contract/hook.ts'
import { itemExists, itemNames } from '#src/contract/items.ts'
import { storedCategories } from './queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(itemExists, async ({ type, id }, { db, school }) => {
    if (type !== 'post_category') return undefined
    const [found] = await storedCategories.keep(db, school.id, [id])
    return found === undefined ? 'unknown' : { name: found.name }
  }),
  implement(itemNames, async ({ type, ids }, { db, school }) => {
    const rows = type === 'post_category' ? await storedCategories.listById(db, school.id, ids) : []
    return new Map(rows.map(({ id, name, slug }) => [id, { name, path: `/blog/category/${slug}` }]))
  }),
]
