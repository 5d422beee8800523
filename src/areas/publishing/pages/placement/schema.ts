import Type from 'typebox'
import { Closed, Id } from '#src/kit/shapes.ts'

/** The pages that come first. */
export const PageOrder = Closed('PageOrder', {
  page_ids: Type.Array(Id('pag'), { minItems: 1, maxItems: 500, uniqueItems: true }),
})

/** All pages in their order. */
export const PagesOrdered = Closed('PagesOrdered', {
  page_ids: Type.Array(Id('pag'), { description: 'All pages of the school, in their order' }),
})
