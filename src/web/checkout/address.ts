import { type Pairs, parsePairs, writePairs } from '#src/kit/form.ts'
import { idPattern } from '#src/kit/ids.ts'
import { isLine, isStorable } from '#src/kit/text.ts'

/** What an address of the checkout names: prices with their quantities, codes, and the campaign that brought the person. */
export type Cart = {
  readonly items: readonly { readonly price_id: string; readonly quantity?: number }[]
  readonly codes: readonly string[]
  readonly campaign?: string
}

/** Why an address of the checkout names nothing that could be bought. */
export type AddressError = 'empty' | 'malformed' | 'too_many_items' | 'too_many_codes'

const PRICE = new RegExp(idPattern('prc'))
const QUANTITY = /^[1-9][0-9]?$/
const MAX_ITEMS = 20
const MAX_CODES = 3
const MAX_CODE = 64
const MAX_CAMPAIGN = 100

const itemsIn = (pairs: Pairs): Cart['items'] | undefined => {
  const items = new Map<string, { readonly price_id: string; readonly quantity?: number }>()
  let last: string | undefined
  for (const [name, value] of pairs) {
    if (name === 'price') {
      if (!PRICE.test(value)) return undefined
      last = value
      if (!items.has(value)) items.set(value, { price_id: value })
    }
    if (name === 'quantity') {
      // A quantity belongs to the price before it.
      if (last === undefined || !QUANTITY.test(value)) return undefined
      items.set(last, { price_id: last, quantity: Number(value) })
    }
  }
  return [...items.values()]
}

const isText = (value: string, most: number): boolean =>
  isStorable(value) && isLine(value) && Array.from(value).length <= most

const valuesOf = (pairs: Pairs, name: string): string[] =>
  pairs.flatMap(([key, value]) => (key === name && value.trim() !== '' ? [value.trim()] : []))

const pairsOf = (query: string): Pairs | undefined => {
  try {
    return parsePairs(query)
  } catch {
    return undefined
  }
}

/** Reads the query of an address of the checkout; parameters that it does not know are left out. */
export const parseCart = (query: string): Cart | AddressError => {
  const pairs = pairsOf(query)
  if (pairs === undefined) return 'malformed'
  if (pairs.filter(([name]) => name === 'price').length > MAX_ITEMS) return 'too_many_items'
  const items = itemsIn(pairs)
  const codes = [...new Set(valuesOf(pairs, 'code'))]
  const [campaign = ''] = valuesOf(pairs, 'campaign')
  if (items === undefined || !codes.every(code => isText(code, MAX_CODE))) return 'malformed'
  if (items.length === 0) return 'empty'
  if (codes.length > MAX_CODES) return 'too_many_codes'
  return { items, codes, ...(campaign !== '' && isText(campaign, MAX_CAMPAIGN) ? { campaign } : {}) }
}

/** What a cart is as fields of a form, in the order of the address. */
export const pairsOfCart = ({ items, codes, campaign }: Cart): Pairs => [
  ...items.flatMap(
    ({ price_id, quantity }): Pairs => [
      ['price', price_id],
      ...(quantity === undefined ? [] : [['quantity', String(quantity)] as const]),
    ],
  ),
  ...codes.map(code => ['code', code] as const),
  ...(campaign === undefined ? [] : [['campaign', campaign] as const]),
]

/** The address at which a cart is bought, as `returnTo` accepts it. */
export const addressOf = (cart: Cart): string =>
  cart.items.length === 0 ? '/checkout' : `/checkout?${writePairs(pairsOfCart(cart))}`
