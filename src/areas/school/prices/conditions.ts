import type { Statement } from '#src/contract/db.ts'

/** The table of the prices of one kind of item, its column with the item, and the table of the items. */
export type PriceTable = {
  readonly prices: Statement
  readonly item: Statement
  readonly items: Statement
  /** The items with those in the bin, where deleted items are kept there. */
  readonly kept?: { readonly items: Statement; readonly condition: Statement }
}
