import { randomUUID } from 'node:crypto'
import type { CheckoutInput } from '#src/areas/shop/index.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Session } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { withBrowserBinding } from '#src/web/account/index.ts'
import { formToken, languageAt, type Notice, sessionOf } from '#src/web/page/index.ts'
import { type Cart, parseCart } from './address.ts'
import type { Bound } from './buyer.ts'
import { lookPage, nothingPage, type Typed } from './pages/look.ts'
import type { CheckoutPagesParts } from './parts.ts'
import { type Questions, ticketQuestions } from './questions.ts'
import { inputOfCart, type Quoted, quoteFor } from './quote.ts'

/** What a form of the first page shows again. */
type Shown = {
  readonly bound: Bound
  readonly id: string
  readonly cart: Cart
  readonly quoted: Quoted
  readonly typed: Typed
  readonly questions: Questions
  readonly notice?: Notice | undefined
}

/** The first page for a request. */
export const lookReply = (request: EndpointRequest, { secret }: CheckoutPagesParts, shown: Shown): Reply => {
  const { school } = request
  const { bound, ...view } = shown
  const session = 'session' in bound ? bound.session : undefined
  return lookPage({
    ...view,
    school,
    session,
    language: languageAt(request, session),
    token: formToken(secret, school.id, bound),
  })
}

const NOTHING: Typed = {
  email: '',
  name: '',
  country: '',
  company: '',
  taxId: '',
  acceptsTerms: false,
  waives: false,
}

// Each page begins a checkout of its own, and a form that is posted twice the same one.
const newId = (): string => toId('chk', randomUUID())

/** The billing of what was typed; undefined where nothing was. */
export const billingIn = ({ country, company, taxId }: Typed): CheckoutInput['billing'] => {
  const billing = {
    ...(country === '' ? {} : { country }),
    ...(company === '' ? {} : { company }),
    ...(taxId === '' ? {} : { tax_id: taxId }),
  }
  return Object.keys(billing).length === 0 ? undefined : billing
}

// Most buyers live where the school is, so the tax of that country is shown until another one is chosen.
const quoteAtFirst = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  session: Session | undefined,
  cart: Cart,
): Promise<{ readonly quoted: Quoted; readonly typed: Typed }> => {
  const quoted = await quoteFor(request, parts, session, inputOfCart(cart))
  const { billing, country } = quoted.quote
  if (billing !== 'required' || country === null) return { quoted, typed: NOTHING }
  const input = inputOfCart(cart, { billing: { country } })
  return { quoted: await quoteFor(request, parts, session, input), typed: { ...NOTHING, country } }
}

/** GET /checkout: what would be bought, for anybody. */
export const showLook = async (request: EndpointRequest, parts: CheckoutPagesParts): Promise<Reply> => {
  const cart = parseCart(request.query)
  const session = await sessionOf(request)
  if (typeof cart === 'string')
    return nothingPage({ school: request.school, language: languageAt(request, session) }, cart)
  const { quoted, typed } = await quoteAtFirst(request, parts, session, cart)
  const asked = await ticketQuestions(request, parts, session, quoted.quote)
  const shown = { id: newId(), cart, quoted, typed, questions: { asked, typed: [], errors: new Map() } }
  if (session !== undefined) return lookReply(request, parts, { ...shown, bound: { session } })
  return withBrowserBinding(request, parts.random, browserBinding =>
    lookReply(request, parts, { ...shown, bound: { browserBinding } }),
  )
}
