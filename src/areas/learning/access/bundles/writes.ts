import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import { itemExists } from '#src/contract/items.ts'
import { Refusal } from '#src/contract/problem.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { type Bundle, getPrefix, type Item } from '../rules.ts'
import { type BundleItemRow, closeBundleItem, findClosedItem, insertBundleItem, keepOpenItem } from './queries.ts'
import { unknownItem } from './rules.ts'

/** An item of a bundle, its name, and whether this call opened or closed it. */
type Changed = { readonly row: BundleItemRow; readonly name: string; readonly isNew: boolean }

const getName = async (item: Item, context: SchoolContext): Promise<string> => {
  const results = await itemExists.call(item, context)
  const result = results.find(one => one !== undefined)
  if (typeof result === 'object') return result.name
  throw new Refusal(
    unknownItem,
    result === undefined ? `This school has no ${item.type} yet.` : `There is no such ${item.type}.`,
  )
}

/**
 * Opens an item to everybody who is entitled to a bundle, now and later, with one row. Refuses with `unknown_item` what
 * the school does not have. The caller has locked the bundle against those who entitle somebody to it, who share the
 * lock: a new holder sees the item, or the worker sees the new holder.
 */
export const openInBundle = async (
  { db, school, now }: TransactionContext,
  { bundle, item }: { readonly bundle: Bundle; readonly item: Item },
): Promise<Changed> => {
  const name = await getName(item, { db, school })
  // Another transaction that does not lock the bundle may open or close it between the two statements.
  for (let times = 0; times < 5; times++) {
    const open = await keepOpenItem(db, school.id, bundle, item)
    if (open !== undefined) return { row: open, name, isNew: false }
    const opened = await insertBundleItem(db, school.id, bundle, { id: newUuid(now.getTime()), item })
    if (opened !== undefined) return { row: opened, name, isNew: true }
  }
  throw new Error('an item is opened and closed all the time')
}

/**
 * Closes an item in a bundle; entitlements that began before keep it if `keptByEarlier` says so. Undefined when it was
 * never open there.
 */
export const closeInBundle = async (
  { db, school }: SchoolContext,
  {
    bundle,
    item,
    keptByEarlier = false,
  }: { readonly bundle: Bundle; readonly item: Item; readonly keptByEarlier?: boolean },
): Promise<Changed | undefined> => {
  const closed = await closeBundleItem(db, school.id, bundle, { item, keptByEarlier })
  const row = closed ?? (await findClosedItem(db, school.id, bundle, item))
  if (row === undefined) return undefined
  const results = await itemExists.call(item, { db, school })
  const name = results.find(one => typeof one === 'object')?.name ?? toId(getPrefix(item.type), item.id)
  return { row, name, isNew: closed !== undefined }
}
