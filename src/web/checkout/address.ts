import type { AnswerInput } from '#src/areas/publishing/index.ts'
import { formField, type Pairs, parsePairs, writePairs } from '#src/kit/form.ts'
import { idPattern } from '#src/kit/ids.ts'
import { isLine, isStorable } from '#src/kit/text.ts'

/** A price in a cart; a ticket with its date, and what the buyer chose to pay. */
type CartItem = {
  readonly price_id: string
  readonly quantity?: number
  readonly occurrence_id?: string
  readonly amount?: number
  /** What the form of the page says; an address has none. */
  readonly answers?: AnswerInput[]
}

/** What an address of the checkout names: prices with their quantities, codes, and the campaign that brought the person. */
export type Cart = {
  readonly items: readonly CartItem[]
  readonly codes: readonly string[]
  readonly campaign?: string
}

/** Why an address of the checkout names nothing that could be bought. */
export type AddressError = 'empty' | 'malformed' | 'too_many_items' | 'too_many_codes'

const PRICE = new RegExp(idPattern('prc'))
const OCCURRENCE = new RegExp(idPattern('occ'))
const QUANTITY = /^[1-9][0-9]?$/
// As the form of the page has it.
const TYPED_QUANTITY = /^(?:[1-9]|1[0-9]|20)$/
const AMOUNT = /^(0|[1-9][0-9]{0,11})$/
const MAX_ITEMS = 20
const MAX_CODES = 3
const MAX_CODE = 64
const MAX_CAMPAIGN = 100

// What a parameter says of the price before it; undefined where it is malformed.
const parsePart = (name: string, value: string): Partial<CartItem> | undefined => {
  if (name === 'quantity') return QUANTITY.test(value) ? { quantity: Number(value) } : undefined
  if (name === 'occurrence') return OCCURRENCE.test(value) ? { occurrence_id: value } : undefined
  return AMOUNT.test(value) ? { amount: Number(value) } : undefined
}

const PARTS = ['quantity', 'occurrence', 'amount']

const itemsIn = (pairs: Pairs): Cart['items'] | undefined => {
  const items = new Map<string, CartItem>()
  let last: string | undefined
  for (const [name, value] of pairs) {
    if (name === 'price') {
      if (!PRICE.test(value)) return undefined
      last = value
      if (!items.has(value)) items.set(value, { price_id: value })
    }
    if (PARTS.includes(name)) {
      const part = parsePart(name, value)
      if (last === undefined || part === undefined) return undefined
      items.set(last, { price_id: last, ...items.get(last), ...part })
    }
  }
  return [...items.values()]
}

const isText = (value: string, most: number): boolean =>
  isStorable(value) && isLine(value) && Array.from(value).length <= most

const readValues = (pairs: Pairs, name: string): string[] =>
  pairs.flatMap(([key, value]) => (key === name && value.trim() !== '' ? [value.trim()] : []))

const readPairs = (query: string): Pairs | undefined => {
  try {
    return parsePairs(query)
  } catch {
    return undefined
  }
}

/** Reads the query of an address of the checkout; parameters that it does not know are left out. */
export const parseCart = (query: string): Cart | AddressError => {
  const pairs = readPairs(query)
  if (pairs === undefined) return 'malformed'
  if (pairs.filter(([name]) => name === 'price').length > MAX_ITEMS) return 'too_many_items'
  const items = itemsIn(pairs)
  const codes = [...new Set(readValues(pairs, 'code'))]
  const [campaign = ''] = readValues(pairs, 'campaign')
  if (items === undefined || !codes.every(code => isText(code, MAX_CODE))) return 'malformed'
  if (items.length === 0) return 'empty'
  if (codes.length > MAX_CODES) return 'too_many_codes'
  return { items, codes, ...(campaign !== '' && isText(campaign, MAX_CAMPAIGN) ? { campaign } : {}) }
}

const withQuantity = (item: CartItem, typed: string): CartItem => {
  const isChange = TYPED_QUANTITY.test(typed) && Number(typed) !== (item.quantity ?? 1)
  return isChange ? { ...item, quantity: Number(typed) } : item
}

/** A cart as its form changes it: with other quantities, without what is removed, and with one more code where one was typed. */
export const changeCart = ({ items, codes, ...rest }: Cart, form: Pairs, code: string): Cart => {
  const removed = formField(form, 'remove_item')
  const kept = items.filter(({ price_id }) => price_id !== removed)
  const applied = codes.filter(one => one !== formField(form, 'remove_code'))
  const isNew = code !== '' && isText(code, MAX_CODE) && !applied.includes(code) && applied.length < MAX_CODES
  return {
    ...rest,
    items: (kept.length === 0 ? items : kept).map(item =>
      withQuantity(item, formField(form, `quantity.${item.price_id}`).trim()),
    ),
    codes: isNew ? [...applied, code] : applied,
  }
}

/** What a cart is as fields of a form, in the order of the address. */
const pairsOfCart = ({ items, codes, campaign }: Cart): Pairs => [
  ...items.flatMap(
    ({ price_id, quantity, occurrence_id: occurrence, amount }): Pairs => [
      ['price', price_id],
      ...(quantity === undefined ? [] : [['quantity', String(quantity)] as const]),
      ...(occurrence === undefined ? [] : [['occurrence', occurrence] as const]),
      ...(amount === undefined ? [] : [['amount', String(amount)] as const]),
    ],
  ),
  ...codes.map(code => ['code', code] as const),
  ...(campaign === undefined ? [] : [['campaign', campaign] as const]),
]

/** The address at which a cart is bought, as `returnTo` accepts it. */
export const buildAddress = (cart: Cart): string =>
  cart.items.length === 0 ? '/checkout' : `/checkout?${writePairs(pairsOfCart(cart))}`
