import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Price, priceStatuses } from '#src/contract/price.ts'
import { Id, OneOf, Ref } from '#src/kit/shapes.ts'

const course_id = Ref('crs', ['external', 'slug'])

/** A price of a course, in a path. */
export const PriceRef = Type.Object({ course_id, price_id: Ref('prc') })

/** The query parameters of the list of prices. */
export const PricesQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(priceStatuses, 'Only this status; retired prices are for those who run the course')),
})

/** One page of the prices of a course. */
export const PricePage = Type.Object(
  {
    ...PageOf(Price, 'PricePage').properties,
    has_access: Type.Optional(
      Type.Boolean({ description: 'For a signed-in caller: whether they already have access' }),
    ),
  },
  { additionalProperties: false, title: 'PricePage' },
)

/** The choice of the primary price. */
export const PrimaryPrice = Type.Object({ price_id: Id('prc') }, { additionalProperties: false, title: 'PrimaryPrice' })
