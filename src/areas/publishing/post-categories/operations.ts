import { changeRow } from '#src/contract/change.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { inUseOf } from '#src/contract/items.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { postCategoryDeletion } from './hooks.ts'
import { getPostCategoryOf, noPostCategory } from './lookups.ts'
import {
  categoryList,
  deleteCategoryRow,
  findCategory,
  lockCategoryList,
  type PostCategoryValues,
  storeCategory,
  storeCategoryOrder,
} from './queries.ts'
import { checkPostCategory, postCategoryInUse, postCategoryValuesOf, tooManyPostCategories } from './rules.ts'
import {
  NewPostCategory,
  PostCategoriesOrdered,
  PostCategoriesQuery,
  PostCategory,
  PostCategoryChanges,
  PostCategoryOrder,
  PostCategoryPage,
  PostCategoryRef,
} from './schema.ts'
import { postCategoryView } from './views.ts'
import { addPostCategory } from './writes.ts'

const news = { category_id: 'slug:news' }

const staff = { scope: 'posts:write', who: 'staff', mode: 'write' } as const

const listPostCategories = operation({
  id: 'listPostCategories',
  route: 'GET /post-categories',
  summary: 'List categories of posts',
  description: 'Lists the categories of posts in the order of the school.',
  scope: 'posts:read',
  who: 'anyone',
  mode: 'read',
  query: PostCategoriesQuery,
  returns: PostCategoryPage,
  handle: context => readList(context, categoryList(context.school.id), rows => rows.map(postCategoryView)),
})

const getPostCategory = operation({
  id: 'getPostCategory',
  route: 'GET /post-categories/:category_id',
  summary: 'Get a category of posts',
  description: 'Returns one category of posts.',
  scope: 'posts:read',
  who: 'anyone',
  mode: 'read',
  params: PostCategoryRef,
  returns: PostCategory,
  example: { params: news },
  async handle({ db, school, params }) {
    const row = await findCategory(db, school.id, params.category_id)
    if (row === undefined) throw noPostCategory()
    return postCategoryView(row)
  },
})

const createPostCategory = operation({
  id: 'createPostCategory',
  route: 'POST /post-categories',
  summary: 'Create a category of posts',
  description: 'Adds a category of posts as the last one. Without a slug it gets one from its name.',
  ...staff,
  body: NewPostCategory,
  returns: PostCategory,
  status: 201,
  fails: [slugTaken, tooManyPostCategories],
  example: { body: { name: 'Recipes', description: 'To bake at home.' } },
  async handle(context) {
    const { body, changed, record } = context
    const row = await addPostCategory(context, body)
    const id = toId('pcg', row.id)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'post_category.created', payload: { post_category: id } })
    return postCategoryView(row)
  },
})

const updatePostCategory = operation({
  id: 'updatePostCategory',
  route: 'PATCH /post-categories/:category_id',
  summary: 'Update a category of posts',
  description: 'Changes the fields of a category of posts that the request names.',
  ...staff,
  ifMatch: 'honoured',
  params: PostCategoryRef,
  body: PostCategoryChanges,
  returns: PostCategory,
  fails: [slugTaken],
  example: { params: news, body: { description: 'What happens at the bakery.' } },
  async handle(context) {
    const { db, school, params, body } = context
    const all = await lockCategoryList(db, school.id)
    const row = getPostCategoryOf(all, params.category_id)
    return changeRow(context, row, {
      ids: { post_category: toId('pcg', row.id) },
      fact: 'post_category.updated',
      values: (): PostCategoryValues => postCategoryValuesOf(row, body),
      check: values => checkPostCategory(all, row.id, values),
      store: values => storeCategory(db, school.id, row.id, values),
      view: stored => postCategoryView(stored),
    })
  },
})

const deletePostCategory = operation({
  id: 'deletePostCategory',
  route: 'DELETE /post-categories/:category_id',
  summary: 'Delete a category of posts',
  description:
    'Deletes a category of posts and removes it from its posts. A category that a plan opens cannot be deleted.',
  ...staff,
  ifMatch: 'honoured',
  params: PostCategoryRef,
  returns: undefined,
  fails: [postCategoryInUse],
  example: {
    params: { category_id: exampleFrom('pcg', 'createPostCategory') },
  },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = getPostCategoryOf(await lockCategoryList(db, school.id), params.category_id)
    await requireMatch(row.revision, () => postCategoryView(row))
    const uses = (await inUseOf.call({ type: 'post_category', id: row.id }, { school, db })).flat()
    if (uses.length > 0)
      throw new Refusal(postCategoryInUse, 'Something opens this category.', { members: { in_use: uses } })
    const left = await postCategoryDeletion.call({ categoryId: row.id }, { db, school })
    await deleteCategoryRow(db, school.id, row.id)
    const id = toId('pcg', row.id)
    changed({ ids: [id], fields: [] })
    const posts = left.reduce((sum, count) => sum + count, 0)
    record({ type: 'post_category.deleted', payload: { post_category: id, posts } })
  },
})

const reorderPostCategories = operation({
  id: 'reorderPostCategories',
  route: 'PUT /post-categories/order',
  summary: 'Reorder categories of posts',
  description: 'Moves the named categories to the front in the given order. The others follow in the order they had.',
  ...staff,
  body: PostCategoryOrder,
  returns: PostCategoriesOrdered,
  example: { body: { category_ids: [exampleFrom('pcg', 'listPostCategories')] } },
  async handle({ db, school, body, changed, record }) {
    const first = body.category_ids
    const all = (await lockCategoryList(db, school.id)).map(({ id }) => id)
    refuseInvalid(
      first.flatMap((id, index) =>
        all.includes(id)
          ? []
          : [{ pointer: `/category_ids/${index}`, code: 'unknown', message: 'is not a category of posts' }],
      ),
      'The order contains an unknown category.',
    )
    const ordered = [...first, ...all.filter(id => !first.includes(id))]
    const moved = await storeCategoryOrder(db, school.id, ordered)
    if (moved.length > 0) {
      changed({ ids: moved.map(id => toId('pcg', id)), fields: ['position'] })
      record({ type: 'post_category.reordered', payload: { count: moved.length } })
    }
    return { category_ids: ordered }
  },
})

/** The operations of categories of posts, in the order of the documentation. */
export const postCategoryOperations = [
  listPostCategories,
  getPostCategory,
  createPostCategory,
  updatePostCategory,
  deletePostCategory,
  reorderPostCategories,
]
