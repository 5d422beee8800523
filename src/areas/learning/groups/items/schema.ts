import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import { GroupPath } from '../group/schema.ts'
import { itemTypes } from './rules.ts'

const ItemType = OneOf(itemTypes, 'What kind of thing it is')

const ItemId = Type.String({ pattern: '^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$', description: 'The id of the thing' })

/** An item that a group gives its members access to, from an instant on. */
export const GroupItem = Closed('GroupItem', {
  id: Id('gri'),
  item: Closed('ItemRef', { type: ItemType, id: ItemId }),
  opened_at: Instant,
  closed_at: Nullable(Instant),
})

/** One page of the items of a group. */
export const GroupItemPage = PageOf(GroupItem, 'GroupItemPage')

/** The query parameters of the items of a group. */
export const GroupItemQuery = Type.Object({
  ...PageQuery,
  at: Type.Optional({ ...Instant, description: 'The items at this instant; now if left out' }),
})

/** An item of a group in a path. */
export const GroupItemPath = Type.Object({ ...GroupPath.properties, item_type: ItemType, item_id: ItemId })
