import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Ref } from '#src/kit/shapes.ts'

/** What a plan can open. A plan is not among them: bundles do not nest. */
export const itemTypes = ['course', 'digital_product', 'event', 'post_category'] as const

const ItemType = OneOf(itemTypes, 'What the item is')

const ItemId = Type.String({ pattern: '^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$', description: 'The id of the item' })

/** An item of a plan by its name. */
export const PlanItemName = Closed('PlanItemName', {
  type: ItemType,
  id: ItemId,
  name: Type.String(),
  path: Nullable(Type.String({ description: 'The path of its page on the site' })),
})

/** An item that a plan opens or opened. */
export const PlanItem = Closed('PlanItem', {
  id: Id('bit'),
  item: PlanItemName,
  opened_at: Instant,
  closed_at: Nullable(Instant),
  kept_by_earlier: Type.Boolean({ description: 'Whether those who held the plan before it was closed keep it' }),
})

/** One page of the items of a plan. */
export const PlanItemPage = PageOf(PlanItem, 'PlanItemPage')

/** The query parameters of the list of items. */
export const PlanItemsQuery = Type.Object({
  ...PageQuery,
  at: Type.Optional({ ...Instant, description: 'As it was at this instant; now by default' }),
})

/** An item of a plan, in a path. */
export const PlanItemRef = Type.Object({
  plan_id: Ref('mpl', ['external', 'slug']),
  item_type: ItemType,
  item_id: ItemId,
})

/** How an item is taken out of a plan. */
export const ClosingQuery = Type.Object({
  keep_for_holders: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether those who hold the plan now keep the item' }),
  ),
})
