import { randomUUID } from 'node:crypto'
import { toId } from '#src/kit/ids.ts'
import { everybody, publicPage } from '#src/web/page/index.ts'
import { type Cart, parseCart } from './address.ts'
import { findOwnCheckout } from './buyer.ts'
import { readItems } from './items.ts'
import { showLook, showNothing } from './look-page.ts'
import type { CheckoutContext } from './parts.ts'
import { readQuestions, writeAnswers } from './questions.ts'
import { cartOfRow, inputOfCart, type Quoted, quoteFor } from './quote.ts'
import { billingIn, nothingTyped, type Typed, typedOfRow } from './typed.ts'
import { readWays } from './ways.ts'

// Most buyers live where the school is, so the tax of that country is shown until another one is chosen.
const quoteAtFirst = async (
  context: CheckoutContext,
  cart: Cart,
): Promise<{ readonly quoted: Quoted; readonly typed: Typed }> => {
  const quoted = await quoteFor(context, inputOfCart(cart))
  const { billing, country } = quoted.quote
  if (billing !== 'required' || country === null) return { quoted, typed: nothingTyped }
  const input = inputOfCart(cart, { billing: { country } })
  return { quoted: await quoteFor(context, input), typed: { ...nothingTyped, country } }
}

type Begun = { readonly id: string; readonly cart: Cart; readonly quoted: Quoted; readonly typed: Typed }

// Each page begins a checkout of its own, and a form that is posted twice the same one.
const newId = (): string => toId('chk', randomUUID())

// Whoever comes back from the page of the code finds what they typed, and goes on with the same checkout.
const findBegun = async (context: CheckoutContext): Promise<Begun | undefined> => {
  const { request, query, session } = context
  const named = query.get('checkout')
  const found = named === null ? undefined : await findOwnCheckout(request, named)
  if (found === undefined || found.row.order_number !== null) return undefined
  const { row, bound } = found
  const [cart, typed] = [cartOfRow(row), typedOfRow(row)]
  const billing = billingIn(typed)
  const quoted = await quoteFor(context, inputOfCart(cart, billing === undefined ? {} : { billing }))
  const isSame = 'session' in bound === (session !== undefined)
  return { id: isSame ? toId('chk', row.id) : newId(), cart, quoted, typed }
}

/** GET /checkout: what would be bought, for anybody. */
export const lookPage = publicPage('GET /checkout', everybody, async (context: CheckoutContext) => {
  const named = parseCart(context.request.query)
  if (typeof named === 'string') return showNothing(context, named)
  const begun = (await findBegun(context)) ?? { id: newId(), cart: named, ...(await quoteAtFirst(context, named)) }
  const { cart, quoted } = begun
  const asked = await readQuestions(context, quoted.quote)
  const questions = { asked, typed: writeAnswers(cart, context.language), errors: new Map<string, string>() }
  const [ways, items] = await Promise.all([readWays(context, quoted.quote), readItems(context, quoted.quote)])
  return showLook({ ...begun, questions, ways, items }, context)
})
