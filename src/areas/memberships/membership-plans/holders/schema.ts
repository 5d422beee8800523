import Type from 'typebox'
import { sources } from '#src/areas/learning/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Person } from '#src/kit/shapes.ts'

const Source = OneOf(sources, 'Where it comes from')

/** A member who holds a plan. */
const PlanHolder = Closed('PlanHolder', {
  member: Person,
  since: Instant,
  until: Nullable({ ...Instant, description: 'When it ends; null without an end that is known' }),
  source: Source,
})

/** One page of the holders of a plan. */
export const PlanHolderPage = PageOf(PlanHolder, 'PlanHolderPage')

/** The query parameters of the list of holders. */
export const PlanHoldersQuery = Type.Object({
  ...PageQuery,
  member_id: Type.Optional(Id('mem')),
  source: Type.Optional(Source),
})
