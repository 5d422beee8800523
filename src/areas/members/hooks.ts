import type { Item } from '#src/areas/groups/index.ts'
import { type Hook, hook } from '#src/contract/hook.ts'

/** Asks every later room to forget a person: what is theirs goes, what is the school's stays without them. */
export const memberErasure = hook<{ readonly memberId: string }, void>('memberErasure')

/** Asks every later room to give what one member has to another, before the first is erased. */
export const memberMerge = hook<{ readonly fromId: string; readonly intoId: string }, void>('memberMerge')

/** What the room of an item says of it; undefined when the item is of another room. */
export type ItemName = { readonly name: string } | 'unknown' | undefined

/** Asks the rooms that come later whether an item exists in the school, and what it is called. */
export const itemExists: Hook<Item, ItemName> = hook<Item, ItemName>('members.item_exists')

/** Tells later rooms that members came into a group. */
export const groupJoined = hook<
  { readonly groupId: string; readonly memberIds: readonly string[]; readonly now: Date },
  void
>('groupJoined')

/** Tells later rooms that members left a group; all of them when none are named. */
export const groupLeft = hook<
  { readonly groupId: string; readonly memberIds?: readonly string[] | undefined; readonly now: Date },
  void
>('groupLeft')
