import { type Question, question } from '#src/contract/question.ts'
import type { Item } from './group-items/queries.ts'

/** Asks every later room to forget a person: what is theirs goes, what is the school's stays without them. */
export const memberErasure = question<{ readonly memberId: string }, void>('memberErasure')

/** Asks every later room to give what one member has to another, before the first is erased. */
export const memberMerge = question<{ readonly fromId: string; readonly intoId: string }, void>('memberMerge')

/** What the room of an item says of it; undefined when the item is of another room. */
export type ToldItem = { readonly name: string } | 'unknown' | undefined

/** Asks the rooms that come later whether an item exists in the school, and what it is called. */
export const itemExists: Question<Item, ToldItem> = question<Item, ToldItem>('members.item_exists')

/** Tells later rooms that members came into a group. */
export const groupJoined = question<
  { readonly groupId: string; readonly memberIds: readonly string[]; readonly now: Date },
  void
>('groupJoined')

/** Tells later rooms that members left a group; all of them when none are named. */
export const groupLeft = question<
  { readonly groupId: string; readonly memberIds?: readonly string[] | undefined; readonly now: Date },
  void
>('groupLeft')
