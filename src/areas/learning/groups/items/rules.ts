import { fillEach, type Phrase } from '#src/contract/language.ts'
import type { IdPrefix } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'

/** What a group can open. A membership plan is not among them: it is a bundle itself, and bundles do not nest. */
export const itemTypes = ['course', 'digital_product', 'event'] as const

/** One of these values. */
type ItemType = (typeof itemTypes)[number]

const prefixes: Readonly<Record<ItemType, IdPrefix>> = { course: 'crs', digital_product: 'dpr', event: 'evt' }

/** The kind of id that items of a type have. */
export const getPrefix = (type: ItemType): IdPrefix => prefixes[type]

const text = texts.learning.groups.items.rules

/** The effect of adding an item to a group, in words. */
export const openedEffect = (group: string, item: string, members: number): Phrase =>
  fillEach(text.opened, { group, item, members })

/** The effect of removing an item from a group, in words. */
export const closedEffect = (group: string, item: string, members: number): Phrase =>
  fillEach(text.closed, { group, item, members })

/** The effect of joining a group with items, in words. */
export const joinedEffect = (group: string, member: string, items: number): Phrase =>
  fillEach(text.joined, { group, member, items })

/** The effect of leaving a group with items, in words. */
export const leftEffect = (group: string, member: string, items: number): Phrase =>
  fillEach(text.left, { group, member, items })

/** The effect of deleting a group with items, in words. */
export const groupEndEffect = (group: string, members: number, items: number): Phrase =>
  fillEach(text.ended, { group, members, items })
