import type { CategoryRow } from '#src/contract/category.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'

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

/** How deep categories can be nested. */
const MAX_DEPTH = 4

/** A category and the one above it. */
type Node = Pick<CategoryRow, 'id' | 'parent_id'>

/** A category and its ancestors, starting with itself; also ends where the tree would have a cycle. */
const listAncestors = (nodes: ReadonlyMap<string, Node>, id: string | null): string[] => {
  const line: string[] = []
  for (let at = id; at !== null && !line.includes(at); at = nodes.get(at)?.parent_id ?? null) line.push(at)
  return line
}

const computeHeight = (nodes: ReadonlyMap<string, Node>, id: string): number =>
  Math.max(
    ...[...nodes.keys()].map(one => {
      const place = listAncestors(nodes, one).indexOf(id)
      return place < 0 ? 1 : place + 1
    }),
    1,
  )

/** The errors of a place in the tree: an unknown parent, a cycle, or too many levels. */
export const errorsOfPlace = (all: readonly Node[], id: string | undefined, parentId: string | null): FieldError[] => {
  const nodes = new Map(all.map(node => [node.id, node]))
  const fieldError = (code: string, message: string): FieldError[] => [{ pointer: '/parent_id', code, message }]
  if (parentId !== null && !nodes.has(parentId)) return fieldError('unknown', 'is not a category')
  const above = listAncestors(nodes, parentId)
  if (id !== undefined && above.includes(id))
    return fieldError('circle', 'is the category itself or one of its subcategories')
  const height = id === undefined ? 1 : computeHeight(nodes, id)
  return above.length + height > MAX_DEPTH
    ? fieldError('depth', `nests categories more than ${MAX_DEPTH} levels deep`)
    : []
}
