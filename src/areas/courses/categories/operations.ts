import { changeRow } from '#src/contract/change.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { categoryDeletion } from './hooks.ts'
import { getCategoryOf, getNamedCategory } from './lookups.ts'
import {
  type CategoryValues,
  countCategories,
  deleteCategoryRow,
  listTree,
  lockTree,
  storeCategory,
  storeCategoryOrder,
} from './queries.ts'
import { categoryNotEmpty, categoryValuesOf, checkCategory, tooManyCategories } from './rules.ts'
import {
  CategoriesQuery,
  Category,
  CategoryChanges,
  CategoryOrder,
  CategoryOrdered,
  CategoryPage,
  CategoryRef,
  NewCategory,
} from './schema.ts'
import { categoryView } from './views.ts'
import { addCategory } from './writes.ts'

const bread = { category_id: 'slug:bread' }

const listCategories = operation({
  id: 'listCategories',
  route: 'GET /categories',
  summary: 'List categories',
  description:
    'Lists the course categories in tree order: each category comes before its subcategories, and `parent_id` names its parent.',
  scope: 'courses:read',
  who: 'anyone',
  mode: 'read',
  query: CategoriesQuery,
  returns: CategoryPage,
  async handle(context) {
    const { db, school } = context
    const found = await listTree(db, school.id, parsePage(context))
    return buildPage(context, found, {
      positionOf: ({ place }) => [place],
      viewsOf: rows => rows.map(row => categoryView(row)),
      total: () => countCategories(db, school.id),
    })
  },
})

const getCategory = operation({
  id: 'getCategory',
  route: 'GET /categories/:category_id',
  summary: 'Get a category',
  description: 'Returns one course category.',
  scope: 'courses:read',
  who: 'anyone',
  mode: 'read',
  params: CategoryRef,
  returns: Category,
  example: { params: bread },
  async handle(context) {
    return categoryView(await getNamedCategory(context, context.params.category_id))
  },
})

const createCategory = operation({
  id: 'createCategory',
  route: 'POST /categories',
  summary: 'Create a category',
  description: 'Adds a course category. Categories can be nested four levels deep.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  body: NewCategory,
  returns: Category,
  status: 201,
  fails: [slugTaken, tooManyCategories],
  example: { body: { name: 'Workshops', description: 'A day in the bakery.' } },
  async handle(context) {
    const row = await addCategory(context, context.body)
    const id = toId('cat', row.id)
    context.changed({ ids: [id], fields: Object.keys(context.body), revision: row.revision })
    context.record({ type: 'category.created', payload: { category: id } })
    return categoryView(row)
  },
})

const updateCategory = operation({
  id: 'updateCategory',
  route: 'PATCH /categories/:category_id',
  summary: 'Update a category',
  description: 'Changes a category, or moves it under another parent together with its subcategories.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: CategoryRef,
  body: CategoryChanges,
  returns: Category,
  fails: [slugTaken],
  example: { params: bread, body: { description: 'Everything that rises.' } },
  async handle(context) {
    const { db, school, params, body } = context
    const tree = await lockTree(db, school.id)
    const row = getCategoryOf(tree, params.category_id)
    return changeRow(context, row, {
      ids: { category: toId('cat', row.id) },
      fact: 'category.updated',
      values: (): CategoryValues => categoryValuesOf(row, body),
      check: values => checkCategory(tree, row.id, values),
      store: values => storeCategory(db, school.id, row.id, values),
      view: stored => categoryView(stored),
    })
  },
})

const countOf = (ids: readonly string[], prefix: string): number => ids.filter(id => id.startsWith(`${prefix}_`)).length

const deleteCategory = operation({
  id: 'deleteCategory',
  route: 'DELETE /categories/:category_id',
  summary: 'Delete a category',
  description: 'Deletes a category and removes it from its courses.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: CategoryRef,
  returns: undefined,
  fails: [categoryNotEmpty],
  example: { params: { category_id: exampleFrom('cat', 'listCategories', { having: { name: 'Workshops' } }) } },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const tree = await lockTree(db, school.id)
    const row = getCategoryOf(tree, params.category_id)
    await requireMatch(row.revision, () => categoryView(row))
    if (tree.some(one => one.parent_id === row.id))
      throw new Refusal(categoryNotEmpty, 'The category has subcategories.')
    const ids = (await categoryDeletion.call({ categoryId: row.id }, { db, school })).flat()
    await deleteCategoryRow(db, school.id, row.id)
    const id = toId('cat', row.id)
    changed({ ids: [id, ...ids], fields: ['category_ids'] })
    record({
      type: 'category.deleted',
      payload: { category: id, courses: countOf(ids, 'crs'), digital_products: countOf(ids, 'dpr') },
    })
  },
})

const reorderCategories = operation({
  id: 'reorderCategories',
  route: 'PUT /categories/order',
  summary: 'Reorder categories',
  description:
    'Moves the named categories of one parent, or of the top level, to the front in the given order. The others follow in the order they had.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  body: CategoryOrder,
  returns: CategoryOrdered,
  example: { body: { category_ids: [exampleFrom('cat', 'listCategories', { having: { parent_id: null } })] } },
  async handle({ db, school, body, changed, record }) {
    const tree = await lockTree(db, school.id)
    const parentId = body.parent_id == null ? null : body.parent_id
    const all = tree.filter(one => one.parent_id === parentId).map(({ id }) => id)
    const first = body.category_ids
    refuseInvalid(
      first.flatMap((id, index) =>
        all.includes(id)
          ? []
          : [{ pointer: `/category_ids/${index}`, code: 'unknown', message: 'is not a category of this parent' }],
      ),
    )
    const ordered = [...first, ...all.filter(id => !first.includes(id))]
    const moved = await storeCategoryOrder(db, school.id, ordered)
    if (moved.length > 0) {
      changed({ ids: moved.map(id => toId('cat', id)), fields: ['position'] })
      record({ type: 'category.reordered', payload: { count: moved.length } })
    }
    return { category_ids: ordered }
  },
})

/** What can be done with categories, in the order of the documentation. */
export const categoryOperations = [
  listCategories,
  getCategory,
  createCategory,
  updateCategory,
  deleteCategory,
  reorderCategories,
]
