import type { Static } from 'typebox'
import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { CategoryRow, CategoryValues } from './queries.ts'
import type { CategorySettings } from './schema.ts'

/** The category has subcategories and cannot be deleted. */
export const categoryNotEmpty = problem(
  409,
  'category_not_empty',
  'The category has subcategories',
  'Move or delete the subcategories first. Courses do not prevent the deletion: they are only removed from the category.',
)

/** The school has the maximum number of categories. */
export const tooManyCategories = problem(
  409,
  'too_many_categories',
  'The school has too many categories',
  'A school has at most five hundred categories. Remove some, or use tags.',
)

/** How many categories a school may have. */
export const MAX_CATEGORIES = 500

/** How deep categories can be nested. */
const MAX_DEPTH = 4

/** A category and the one above it. */
type Node = { readonly id: string; readonly parent_id: string | null }

/** A category and its ancestors, starting with itself; also ends where the tree would have a cycle. */
const lineOf = (nodes: ReadonlyMap<string, Node>, id: string | null): string[] => {
  const line: string[] = []
  for (let at = id; at !== null && !line.includes(at); at = nodes.get(at)?.parent_id ?? null) line.push(at)
  return line
}

const heightOf = (nodes: ReadonlyMap<string, Node>, id: string): number =>
  Math.max(
    ...[...nodes.keys()].map(one => {
      const place = lineOf(nodes, one).indexOf(id)
      return place < 0 ? 1 : place + 1
    }),
    1,
  )

/** The errors of a place in the tree: an unknown parent, a cycle, or too many levels. */
const errorsOfPlace = (all: readonly Node[], id: string | undefined, parentId: string | null): FieldError[] => {
  const nodes = new Map(all.map(node => [node.id, node]))
  const fieldError = (code: string, message: string): FieldError[] => [{ pointer: '/parent_id', code, message }]
  if (parentId !== null && !nodes.has(parentId)) return fieldError('unknown', 'is not a category')
  const above = lineOf(nodes, parentId)
  if (id !== undefined && above.includes(id))
    return fieldError('circle', 'is the category itself or one of its subcategories')
  const height = id === undefined ? 1 : heightOf(nodes, id)
  return above.length + height > MAX_DEPTH
    ? fieldError('depth', `nests categories more than ${MAX_DEPTH} levels deep`)
    : []
}

/** The input of a category, as values. */
export type CategoryInput = Partial<Static<typeof CategorySettings>>

/** A category as it is stored after a change. */
export const categoryValuesOf = (before: CategoryValues, input: CategoryInput): CategoryValues => ({
  name: input.name === undefined ? before.name : cleanLine(input.name, 120),
  slug: input.slug ?? before.slug,
  description: input.description ?? before.description,
  parent_id: input.parent_id === undefined ? before.parent_id : input.parent_id && input.parent_id,
})

/** Refuses a category with an invalid place in the locked tree, or whose slug is taken. */
export const checkCategory = (tree: readonly CategoryRow[], id: string | undefined, values: CategoryValues): void => {
  refuseInvalid([
    ...(values.name === '' ? [{ pointer: '/name', code: 'empty', message: 'has no visible characters' }] : []),
    ...errorsOfPlace(tree, id, values.parent_id),
  ])
  if (tree.some(one => one.slug === values.slug && one.id !== id))
    throw new Refusal(slugTaken, 'Another category has this slug.')
}
