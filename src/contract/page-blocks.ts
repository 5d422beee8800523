import { hook } from './hook.ts'
import type { PriceValues } from './price.ts'

/** A block of a page that shows things of the school as cards, as it is stored. */
export type CardsBlock =
  | {
      readonly type: 'courses'
      readonly category_id: string | null
      readonly tag: string | null
      readonly ids: readonly string[] | null
      readonly limit: number
    }
  | {
      readonly type: 'products'
      readonly category_id: string | null
      readonly tag: string | null
      readonly ids: readonly string[] | null
      readonly limit: number
    }
  | { readonly type: 'lecturers'; readonly ids: readonly string[] | null; readonly limit: number }
  | { readonly type: 'reviews'; readonly course_id: string | null; readonly limit: number }

/** Something that a block shows, as everybody sees it. */
export type BlockCard = {
  /** Its id on the wire. */
  readonly id: string
  /** The path of its page on the site. */
  readonly path: string
  readonly name: string
  /** One line about it, or the text of a review; plain text. */
  readonly about: string
  /** The id of the row of a file that everybody can read. */
  readonly imageFileId: string | null
  /** The average rating, or that of a review; a decimal string. */
  readonly rating: { readonly average: string; readonly count: number } | null
  /** The price that is shown first. */
  readonly price: Pick<PriceValues, 'payment_type' | 'amount' | 'currency' | 'interval' | 'interval_count'> | null
  readonly isSoldOut: boolean
}

/**
 * Called for what a block shows, in its order: only what everybody finds in the lists of the site, whoever asks. Undefined:
 * the block belongs to another area.
 */
export const blockOf = hook<CardsBlock, readonly BlockCard[] | undefined>('blockOf')
