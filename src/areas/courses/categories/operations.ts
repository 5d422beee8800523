import { categorised } from '#src/contract/categorised.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { Id, Nullable } from '#src/kit/shapes.ts'
import { categoryDeletion } from './hooks.ts'
import { countCategories, listTree, storedCategories } from './queries.ts'
import { categoryNotEmpty, errorsOfPlace, tooManyCategories } from './rules.ts'

const bread = { category_id: 'slug:bread' }

const countIds = (ids: readonly string[], prefix: string): number =>
  ids.filter(id => id.startsWith(`${prefix}_`)).length

/** The categories of courses, which form a tree. */
export const {
  category: Category,
  page: CategoryPage,
  operations: categoryOperations,
  add: addCategory,
  renderViews: categoryViewsById,
  errorsOfIds: errorsOfCategories,
} = categorised(storedCategories, {
  ids: ['Category', 'Categories'],
  called: ['category', 'categories'],
  path: '/categories',
  prefix: 'cat',
  fact: 'category',
  scopes: { reads: 'courses:read', writes: 'courses:write' },
  most: 500,
  tooMany: tooManyCategories,
  fields: { parent_id: Nullable(Id('cat')) },
  position: 'The place among those with the same parent',
  listErrors: (all, id, { parent_id: parentId = null }) => errorsOfPlace(all, id, parentId),
  list: {
    description:
      'Lists the course categories in tree order: each category comes before its subcategories, and `parent_id` names its parent.',
    async readPage(context, renderViews) {
      const { db, school } = context
      return buildPage(context, await listTree(db, school.id, parsePage(context)), {
        readPosition: ({ place }) => [place],
        renderViews: rows => renderViews(rows),
        total: () => countCategories(db, school.id),
      })
    },
  },
  read: { description: 'Returns one course category.', example: { params: bread } },
  create: {
    description: 'Adds a course category. Categories can be nested four levels deep.',
    example: { body: { name: 'Workshops', description: 'A day in the bakery.' } },
  },
  update: {
    description: 'Changes a category, or moves it under another parent together with its subcategories.',
    example: { params: bread, body: { description: 'Everything that rises.' } },
  },
  remove: {
    description: 'Deletes a category and removes it from its courses.',
    fails: [categoryNotEmpty],
    example: { params: { category_id: exampleFrom('cat', 'listCategories', { having: { name: 'Workshops' } }) } },
    async empty(context, { id }, all) {
      if (all.some(one => one.parent_id === id)) throw new Refusal(categoryNotEmpty, 'The category has subcategories.')
      const ids = (await categoryDeletion.call({ categoryId: id }, context)).flat()
      const counts = { course_count: countIds(ids, 'crs'), product_count: countIds(ids, 'dpr') }
      return { ids, fields: ['category_ids'], counts }
    },
  },
  reorder: {
    description:
      'Moves the named categories of one parent, or of the top level, to the front in the given order. The others follow in the order they had.',
    example: { body: { category_ids: [exampleFrom('cat', 'listCategories', { having: { parent_id: null } })] } },
    title: 'CategoryOrdered',
    ordered: 'All of the parent, in their order',
    unknown: 'is not a category of this parent',
  },
})
