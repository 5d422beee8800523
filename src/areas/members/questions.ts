import { type Question, question } from '#src/contract/question.ts'
import type { Item } from './group-items/queries.ts'

/** What the room of an item says of it; undefined when the item is of another room. */
export type ToldItem = { readonly name: string } | 'unknown' | undefined

/** Asks the rooms that come later whether an item exists in the school, and what it is called. */
export const itemExists: Question<Item, ToldItem> = question<Item, ToldItem>('itemExists')
