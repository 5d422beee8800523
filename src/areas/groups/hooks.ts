import { type Hook, hook } from '#src/contract/hook.ts'
import type { Item } from './items/queries.ts'

/** What the area of an item knows of it; undefined when the item belongs to another area. */
type ItemName = { readonly name: string } | 'unknown' | undefined

/** Asks later areas whether an item exists in the school, and what it is called. */
export const itemExists: Hook<Item, ItemName> = hook<Item, ItemName>('itemExists')

/** Called when members joined a group. */
export const groupJoined = hook<
  { readonly groupId: string; readonly memberIds: readonly string[]; readonly now: Date },
  void
>('groupJoined')

/** Called when members left a group; all of them when none are named. */
export const groupLeft = hook<
  { readonly groupId: string; readonly memberIds?: readonly string[] | undefined; readonly now: Date },
  void
>('groupLeft')
