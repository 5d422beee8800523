import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Id, Instant, Line, Ref, Revision, Slug, Text } from '#src/kit/shapes.ts'

/** The writable fields of a category of posts. */
export const PostCategorySettings = Type.Object({
  name: Line(120, 'What the category is called'),
  slug: Slug,
  description: Text(1000, 'What belongs in it, as plain text'),
})

/** A category of posts. */
export const PostCategory = Type.Object(
  {
    id: Id('pcg'),
    ...PostCategorySettings.properties,
    position: Type.Integer({ minimum: 0, description: 'Its place among the categories' }),
    revision: Revision,
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'PostCategory' },
)

/** A new category of posts; only the name is required. */
export const NewPostCategory = Type.Object(
  { ...Type.Partial(PostCategorySettings).properties, name: PostCategorySettings.properties.name },
  { additionalProperties: false, title: 'NewPostCategory' },
)

/** A change of a category of posts. */
export const PostCategoryChanges = MergePatch(PostCategorySettings, 'PostCategoryChanges')

/** The category of posts in a path. */
export const PostCategoryRef = Type.Object({ category_id: Ref('pcg', ['slug']) })

/** The query parameters of the list of categories. */
export const PostCategoriesQuery = Type.Object({ ...PageQuery })

/** One page of the categories of posts. */
export const PostCategoryPage = PageOf(PostCategory, 'PostCategoryPage')

/** The categories that come first. */
export const PostCategoryOrder = Type.Object(
  { category_ids: Type.Array(Id('pcg'), { minItems: 1, maxItems: 200, uniqueItems: true }) },
  { additionalProperties: false, title: 'PostCategoryOrder' },
)

/** All categories of posts in their order. */
export const PostCategoriesOrdered = Type.Object(
  { category_ids: Type.Array(Id('pcg'), { description: 'All categories of posts, in their order' }) },
  { additionalProperties: false, title: 'PostCategoriesOrdered' },
)
