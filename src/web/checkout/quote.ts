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
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, rateLimited } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { atPage } from '#src/web/page/index.ts'
import type { Cart } from './address.ts'
import type { CheckoutPagesParts } from './parts.ts'

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

const perform = (
  request: EndpointRequest,
  { performAs }: CheckoutPagesParts,
  session: Session | undefined,
  body: CheckoutInput,
): Promise<QuoteView> => {
  const { school, requestId, network } = request
  const by = session === undefined ? { school, requestId, network } : atPage(request, session)
  return performAs(by, { operation: 'quoteCheckout', body, returns: CheckoutQuote })
}

const findTermsPath = async (
  { school, requestId, network }: EndpointRequest,
  { performAs }: CheckoutPagesParts,
  { terms_page_id: id }: QuoteView,
): Promise<string | undefined> => {
  if (id === null) return undefined
  try {
    const params = { page_id: id }
    return (await performAs({ school, requestId, network }, { operation: 'getPage', params, returns: SitePage })).path
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const quotedWith = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  quote: QuoteView,
  isLimited = false,
): Promise<Quoted> => ({ quote, isLimited, termsPath: await findTermsPath(request, parts, quote) })

/**
 * Quotes a purchase for whoever is signed in. Codes are counted before they are looked up, and the count is given back
 * unless one was unknown; beyond the limit they are left out.
 */
export const quoteFor = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  session: Session | undefined,
  input: CheckoutInput,
): Promise<Quoted> => {
  const { school, network, database } = request
  if (input.codes === undefined || input.codes.length === 0)
    return quotedWith(request, parts, await perform(request, parts, session, input))
  const typing = { schoolId: school.id, network, memberId: session?.member.id }
  try {
    const uses = await countCodeTry(database.shared, typing)
    const quote = await perform(request, parts, session, input)
    const isGuess = quote.refused_codes.some(({ reason }) => reason === 'unknown_code')
    if (!isGuess) await refundCodeTry(database.shared, uses)
    return quotedWith(request, parts, quote)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem !== rateLimited) throw error
    return quotedWith(request, parts, await perform(request, parts, session, { ...input, codes: [] }), true)
  }
}

/** The cart without what cannot be bought and the codes that do not apply. */
export const buyable = ({ items, codes, ...rest }: Cart, { quote, isLimited }: Quoted): Cart => ({
  ...rest,
  items: items.filter(({ price_id }) => quote.lines.some(line => line.price_id === price_id)),
  codes: isLimited ? [] : codes.filter(code => !quote.refused_codes.some(refused => refused.code === code)),
})
