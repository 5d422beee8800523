import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'

/** The pages that come first. */
export const PageOrder = Type.Object(
  { page_ids: Type.Array(Id('pag'), { minItems: 1, maxItems: 500, uniqueItems: true }) },
  { additionalProperties: false, title: 'PageOrder' },
)

/** All pages in their order. */
export const PagesOrdered = Type.Object(
  { page_ids: Type.Array(Id('pag'), { description: 'All pages of the school, in their order' }) },
  { additionalProperties: false, title: 'PagesOrdered' },
)
