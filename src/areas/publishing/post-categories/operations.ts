import { categorised } from '#src/contract/categorised.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { inUseOf } from '#src/contract/items.ts'
import { Refusal } from '#src/contract/problem.ts'
import { readList } from '#src/db/list.ts'
import { postCategoryDeletion } from './hooks.ts'
import { categoryList, storedCategories } from './queries.ts'
import { postCategoryInUse, tooManyPostCategories } from './rules.ts'

const news = { category_id: 'slug:news' }

/** The categories of posts. */
export const {
  category: PostCategory,
  page: PostCategoryPage,
  operations: postCategoryOperations,
  add: addPostCategory,
  errorsOfIds: errorsOfPostCategories,
} = categorised(storedCategories, {
  ids: ['PostCategory', 'PostCategories'],
  called: ['category of posts', 'categories of posts'],
  path: '/post-categories',
  prefix: 'pcg',
  fact: 'post_category',
  scopes: { reads: 'posts:read', writes: 'posts:write' },
  most: 200,
  tooMany: tooManyPostCategories,
  fields: {},
  position: 'Its place among the categories',
  list: {
    description: 'Lists the categories of posts in the order of the school.',
    readPage: (context, renderViews) => readList(context, categoryList(context.school.id), renderViews),
  },
  read: { description: 'Returns one category of posts.', example: { params: news } },
  create: {
    description: 'Adds a category of posts as the last one. Without a slug it gets one from its name.',
    example: { body: { name: 'Recipes', description: 'To bake at home.' } },
  },
  update: {
    description: 'Changes the fields of a category of posts that the request names.',
    example: { params: news, body: { description: 'What happens at the bakery.' } },
  },
  remove: {
    description:
      'Deletes a category of posts and removes it from its posts. A category that a plan opens cannot be deleted.',
    fails: [postCategoryInUse],
    example: { params: { category_id: exampleFrom('pcg', 'createPostCategory') } },
    async empty(context, { id }) {
      const uses = (await inUseOf.call({ type: 'post_category', id }, context)).flat()
      if (uses.length > 0)
        throw new Refusal(postCategoryInUse, 'Something opens this category.', { members: { in_use: uses } })
      const left = await postCategoryDeletion.call({ categoryId: id }, context)
      return { ids: [], fields: [], counts: { post_count: left.reduce((sum, count) => sum + count, 0) } }
    },
  },
  reorder: {
    description: 'Moves the named categories to the front in the given order. The others follow in the order they had.',
    example: { body: { category_ids: [exampleFrom('pcg', 'listPostCategories')] } },
    title: 'PostCategoriesOrdered',
    ordered: 'All categories of posts, in their order',
    unknown: 'is not a category of posts',
    detail: 'The order contains an unknown category.',
  },
})
