import { implement } from '#src/contract/hook.ts'
import { itemExists } from '#src/contract/items.ts'
import { shareCategories } from './queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(itemExists, async ({ type, id }, { db, school }) => {
    if (type !== 'post_category') return undefined
    const [found] = await shareCategories(db, school.id, [id])
    return found === undefined ? 'unknown' : { name: found.name }
  }),
]
