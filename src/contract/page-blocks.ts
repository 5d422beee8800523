import { hook } from './hook.ts'
import type { PriceValues } from './price.ts'

type OfCatalogue = {
  readonly category_id: string | null
  readonly tag: string | null
  readonly ids: readonly string[] | null
  readonly limit: number
}

/** A block of a page that shows things of the school as cards, as it is stored. */
export type CardsBlock =
  | (OfCatalogue & { readonly type: 'courses' | 'products' })
  | (OfCatalogue & { readonly type: 'posts' })
  | { readonly type: 'events'; readonly ids: readonly string[] | null; readonly limit: number }
  | { readonly type: 'plans'; readonly ids: readonly string[] | null; readonly limit: number }
  | { readonly type: 'lecturers'; readonly ids: readonly string[] | null; readonly limit: number }
  | { readonly type: 'form'; readonly form_id: string }
  | { readonly type: 'reviews'; readonly course_id: string | null; readonly limit: number }

/** An image that everybody may see. */
type CardImage = {
  readonly file_id: string
  readonly name: string
  readonly content_type: string
  readonly byte_size: number
  readonly url: string
  readonly url_expires_at: string | null
}

type CardTime = { readonly local: string; readonly time_zone: string; readonly utc: Date }

/** Something that a block shows, as everybody sees it. */
export type BlockCard = {
  /** Its id on the wire. */
  readonly id: string
  /** The path of its page on the site. */
  readonly path: string
  readonly name: string
  /** What it is about, or the text of a review; plain text. */
  readonly about: string
  readonly image: CardImage | null
  /** The average rating, or that of a review. */
  readonly rating: { readonly average: number; readonly count: number } | null
  /** The price that is shown first. */
  readonly price: Pick<PriceValues, 'payment_type' | 'amount' | 'currency' | 'interval' | 'interval_count'> | null
  readonly isSoldOut: boolean
  /** When the next date of an event is. */
  readonly date: { readonly starts_at: CardTime; readonly ends_at: CardTime } | null
}

/** A card without image, rating and price. */
export const plainCard = (card: Pick<BlockCard, 'id' | 'path' | 'name' | 'about'>): BlockCard => ({
  ...card,
  image: null,
  rating: null,
  price: null,
  isSoldOut: false,
  date: null,
})

/** How many things a block shows at most: those that it names, or its limit. */
export const mostShown = ({ ids = null, limit }: { readonly ids?: readonly string[] | null; readonly limit: number }) =>
  ids?.length ?? limit

/** Rows in the order in which a block names them, or as they are where it names none. */
export const inOrder = <Row extends { readonly id: string }>(
  ids: readonly string[] | null,
  rows: readonly Row[],
): Row[] => (ids === null ? [...rows] : ids.flatMap(id => rows.filter(row => row.id === id)))

/**
 * Called for what a block shows, in its order: only what everybody finds in the lists of the site, whoever asks. Undefined:
 * the block belongs to another area.
 */
export const blockOf = hook<
  { readonly block: CardsBlock; readonly keyFor: (purpose: string) => Buffer },
  readonly BlockCard[] | undefined
>('blockOf')
