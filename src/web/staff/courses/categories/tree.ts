import type { Static } from 'typebox'
import { type Category, CategoryPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'

/** A category as pages get it. */
export type CategoryShown = Encoded<Static<typeof Category>>

/** A category with its level, from 0 on. */
export type PlacedCategory = CategoryShown & { readonly level: number }

// A school has at most 500.
const MAX_PAGES = 10

/** All categories of the school, each before its subcategories. */
export const listTree = async (context: StaffContext): Promise<PlacedCategory[]> => {
  const placed = new Map<string, PlacedCategory>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = [['limit', '100'] as const, ...(cursor === undefined ? [] : [['cursor', cursor] as const])]
    const found = await context.call({ operation: 'listCategories', query, returns: CategoryPage })
    for (const one of found.data)
      placed.set(one.id, { ...one, level: one.parent_id === null ? 0 : (placed.get(one.parent_id)?.level ?? -1) + 1 })
    cursor = found.next_cursor
    if (cursor === undefined) break
  }
  return [...placed.values()]
}

/** The choices of a list of categories; subcategories are indented by a dash for each level. */
export const categoryChoices = (tree: readonly PlacedCategory[]) =>
  tree.map(({ id, name, level }) => ({ value: id, label: `${'– '.repeat(level)}${name}` }))

/** The categories below which another one can be, after the top of the tree. */
export const parentChoices = ({ t }: StaffContext, tree: readonly PlacedCategory[]) => ({
  parent_id: [{ value: '', label: t(texts.staff.categories.common.top) }, ...categoryChoices(tree)],
})

/** The categories of the same parent, in their order. */
const listSiblings = (tree: readonly PlacedCategory[], category: CategoryShown): PlacedCategory[] =>
  tree.filter(({ parent_id }) => parent_id === category.parent_id)

/** The ids of the categories of a parent after one of them moved by one place. */
export const movedBy = (tree: readonly PlacedCategory[], category: CategoryShown, by: -1 | 1): string[] => {
  const ids = listSiblings(tree, category).map(({ id }) => id)
  const from = ids.indexOf(category.id)
  const to = Math.min(ids.length - 1, Math.max(0, from + by))
  return ids.toSpliced(from, 1).toSpliced(to, 0, category.id)
}

/** Whether a category has another one of its parent before it or after it. */
export const canMove = (tree: readonly PlacedCategory[], category: CategoryShown, by: -1 | 1): boolean => {
  const ids = listSiblings(tree, category).map(({ id }) => id)
  return ids[ids.indexOf(category.id) + by] !== undefined
}
