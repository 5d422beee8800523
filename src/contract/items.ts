import { hook } from './hook.ts'

/** Something that members can be given or sold, or that a bundle opens, by the id of its row. */
export type Item = {
  readonly type: 'course' | 'digital_product' | 'event' | 'membership_plan' | 'post_category' | 'ticket'
  readonly id: string
}

/** What the area of an item knows of it; undefined when the item belongs to another area. */
type ItemName = { readonly name: string } | 'unknown' | undefined

/** Called to find out whether an item exists in the school, and what it is called; locks it, so that it is not deleted. */
export const itemExists = hook<Item, ItemName>('itemExists')

/** Something that still uses an item: of which kind, its id on the wire if it is one resource, and how many there are. */
export type Use = { readonly kind: string; readonly id: string | null; readonly count: number }

/** Called before an item is deleted for everything that still uses it; an item in use is not deleted. */
export const inUseOf = hook<Item, readonly Use[]>('inUseOf')
