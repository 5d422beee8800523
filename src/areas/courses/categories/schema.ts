import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Id, Instant, Line, Nullable, Ref, Revision, Slug, Text } from '#src/kit/shapes.ts'

/** The writable fields of a category. */
export const CategorySettings = Type.Object({
  name: Line(120, 'What the category is called'),
  slug: Slug,
  description: Text(1000, 'What belongs in it, as plain text'),
  parent_id: Nullable(Id('cat')),
})

/** A category of courses; categories form a tree. */
export const Category = Type.Object(
  {
    id: Id('cat'),
    ...CategorySettings.properties,
    position: Type.Integer({ minimum: 0, description: 'The place among those with the same parent' }),
    revision: Revision,
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'Category' },
)

/** A new category; only the name must be there. */
export const NewCategory = Type.Object(
  { ...Type.Partial(CategorySettings).properties, name: CategorySettings.properties.name },
  { additionalProperties: false, title: 'NewCategory' },
)

/** A change of a category. */
export const CategoryChanges = MergePatch(CategorySettings, 'CategoryChanges')

/** What a category can be named by in a path. */
export const CategoryRef = Type.Object({ category_id: Ref('cat', ['slug']) })

/** The query parameters of the list of categories. */
export const CategoriesQuery = Type.Object({ ...PageQuery })

/** One page of the categories. */
export const CategoryPage = PageOf(Category, 'CategoryPage')

/** Categories of one parent in the order they are to be shown. */
export const CategoryOrder = Type.Object(
  {
    parent_id: Type.Optional(Nullable(Id('cat'))),
    category_ids: Type.Array(Id('cat'), { minItems: 1, maxItems: 500, uniqueItems: true }),
  },
  { additionalProperties: false, title: 'CategoryOrder' },
)

/** The categories of one parent in their order. */
export const CategoryOrdered = Type.Object(
  { category_ids: Type.Array(Id('cat'), { description: 'All of the parent, in their order' }) },
  { additionalProperties: false, title: 'CategoryOrdered' },
)
