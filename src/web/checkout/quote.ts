import type { Static } from 'typebox'
import { SitePage } from '#src/areas/publishing/index.ts'
import {
  type CheckoutInput,
  CheckoutQuote,
  type CheckoutRow,
  countCodeTry,
  refundCodeTry,
} from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { Refusal } from '#src/contract/problem.ts'
import { rateLimited } from '#src/contract/problems.ts'
import { orNothing } from '#src/web/page/index.ts'
import type { Cart } from './address.ts'
import type { CheckoutContext } from './parts.ts'

/** A quote, as the pages show it. */
export type QuoteView = Encoded<Static<typeof CheckoutQuote>>

/** What a cart becomes with what the buyer typed. */
export const inputOfCart = (
  { items, codes, campaign }: Cart,
  more: Pick<CheckoutInput, 'billing' | 'accept_terms' | 'waive_withdrawal'> = {},
): CheckoutInput => ({
  items: items.map(item => ({ ...item })),
  codes: [...codes],
  ...(campaign === undefined ? {} : { campaign }),
  ...more,
})

/** The cart of a checkout that was stored. */
export const cartOfRow = ({ items, codes, campaign }: CheckoutRow): Cart => ({
  items,
  codes,
  ...(campaign === null ? {} : { campaign }),
})

/**
 * A quote, whether its codes were left out because too many wrong ones were typed, and the path of the page with the terms,
 * if anybody can read it.
 */
export type Quoted = {
  readonly quote: QuoteView
  readonly isLimited: boolean
  readonly termsPath: string | undefined
}

const quote = ({ call }: CheckoutContext, body: CheckoutInput): Promise<QuoteView> =>
  call({ operation: 'quoteCheckout', body, returns: CheckoutQuote })

const findTermsPath = async (
  { request, parts }: CheckoutContext,
  { terms_page_id: id }: QuoteView,
): Promise<string | undefined> => {
  if (id === null) return undefined
  const { school, requestId, network } = request
  const call = { operation: 'getPage', params: { page_id: id }, returns: SitePage } as const
  return (await orNothing(parts.performAs({ school, requestId, network }, call)))?.path
}

const quotedWith = async (context: CheckoutContext, quote: QuoteView, isLimited = false): Promise<Quoted> => ({
  quote,
  isLimited,
  termsPath: await findTermsPath(context, quote),
})

/**
 * Quotes a purchase for whoever is signed in. Codes are counted before they are looked up, and the count is given back
 * unless one was unknown; beyond the limit they are left out.
 */
export const quoteFor = async (context: CheckoutContext, input: CheckoutInput): Promise<Quoted> => {
  const { school, session, request } = context
  const { network, database } = request
  if (input.codes === undefined || input.codes.length === 0) return quotedWith(context, await quote(context, input))
  const typing = { schoolId: school.id, network, memberId: session?.member.id }
  try {
    const uses = await countCodeTry(database.shared, typing)
    const quoted = await quote(context, input)
    const isGuess = quoted.refused_codes.some(({ reason }) => reason === 'unknown_code')
    if (!isGuess) await refundCodeTry(database.shared, uses)
    return quotedWith(context, quoted)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem !== rateLimited) throw error
    return quotedWith(context, await quote(context, { ...input, codes: [] }), true)
  }
}

/**
 * The cart of a form as far as it can be bought: a quantity that cannot be had is as before, and the quote says why.
 */
export const quoteForm = async (
  context: CheckoutContext,
  before: Cart,
  { cart, input }: { readonly cart: Cart; input(cart: Cart): CheckoutInput },
): Promise<{ readonly cart: Cart; readonly quoted: Quoted }> => {
  const quoted = await quoteFor(context, input(cart))
  const refused = new Set(quoted.quote.refused.map(({ price_id }) => price_id))
  const items = cart.items.map(item =>
    refused.has(item.price_id) ? (before.items.find(one => one.price_id === item.price_id) ?? item) : item,
  )
  if (items.every((item, index) => item.quantity === cart.items[index]?.quantity)) return { cart, quoted }
  const again = await quoteFor(context, input({ ...cart, items }))
  return {
    cart: { ...cart, items },
    quoted: { ...again, quote: { ...again.quote, refused: quoted.quote.refused } },
  }
}

/** The cart without what cannot be bought and the codes that do not apply. */
export const buyable = ({ items, codes, ...rest }: Cart, { quote, isLimited }: Quoted): Cart => ({
  ...rest,
  items: items.filter(({ price_id }) => quote.lines.some(line => line.price_id === price_id)),
  codes: isLimited ? [] : codes.filter(code => !quote.refused_codes.some(refused => refused.code === code)),
})
