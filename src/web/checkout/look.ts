import { randomUUID } from 'node:crypto'
import type { CheckoutInput } from '#src/areas/shop/index.ts'
import { toId } from '#src/kit/ids.ts'
import { everybody, publicPage } from '#src/web/page/index.ts'
import { type Cart, parseCart } from './address.ts'
import { showLook, showNothing, type Typed } from './look-page.ts'
import type { CheckoutContext } from './parts.ts'
import { readQuestions } from './questions.ts'
import { inputOfCart, type Quoted, quoteFor } from './quote.ts'

const NOTHING: Typed = {
  email: '',
  name: '',
  country: '',
  company: '',
  taxId: '',
  acceptsTerms: false,
  waives: false,
}

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
  context: CheckoutContext,
  cart: Cart,
): Promise<{ readonly quoted: Quoted; readonly typed: Typed }> => {
  const quoted = await quoteFor(context, inputOfCart(cart))
  const { billing, country } = quoted.quote
  if (billing !== 'required' || country === null) return { quoted, typed: NOTHING }
  const input = inputOfCart(cart, { billing: { country } })
  return { quoted: await quoteFor(context, input), typed: { ...NOTHING, country } }
}

/** GET /checkout: what would be bought, for anybody. */
export const lookPage = publicPage('GET /checkout', everybody, async context => {
  const cart = parseCart(context.request.query)
  if (typeof cart === 'string') return showNothing(context, cart)
  const { quoted, typed } = await quoteAtFirst(context, cart)
  const asked = await readQuestions(context, quoted.quote)
  // Each page begins a checkout of its own, and a form that is posted twice the same one.
  const id = toId('chk', randomUUID())
  return showLook({ id, cart, quoted, typed, questions: { asked, typed: [], errors: new Map() } }, context)
})
