import { getSelling } from '#src/areas/school/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { describeMethod, type Method, methodsFor } from '#src/web/account/index.ts'
import type { CheckoutContext } from './parts.ts'
import type { QuoteView } from './quote.ts'

const { text } = texts.account.pay

/** How a purchase can be paid; empty where nothing is paid and no method is needed for later. */
export type Ways = { readonly methods: readonly Method[]; readonly isPaid: boolean }

const isRecurring = ({ lines }: QuoteView): boolean =>
  lines.some(({ payment: { payment_type: type } }) => type === 'subscription' || type === 'payment_plan')

/** The ways to pay what a quote says, or to save a method for what follows. */
export const readWays = async ({ request }: CheckoutContext, quote: QuoteView): Promise<Ways> => {
  const { total: amount, currency, lines } = quote
  if (amount > 0) {
    const purpose = isRecurring(quote) ? 'first' : 'once'
    return { methods: await methodsFor(request, { amount, currency, purpose }), isPaid: true }
  }
  if (lines.length === 0 || !isRecurring(quote)) return { methods: [], isPaid: false }
  const { database, school } = request
  const { subscriptions } = await database.statements(school.id, db => getSelling(db, school.id))
  if (!subscriptions.trial_needs_method) return { methods: [], isPaid: false }
  return { methods: await methodsFor(request, { amount, currency, purpose: 'setup' }), isPaid: false }
}

// The first one where none was chosen.
const chooseWay = ({ methods }: Ways, chosen: string): Method | undefined =>
  methods.find(({ name }) => name === chosen) ?? methods[0]

/** Whether what was chosen is a way to pay, or none is needed. */
export const isWay = ({ methods }: Ways, chosen: string): boolean =>
  methods.length === 0 || methods.some(({ name }) => name === chosen)

const wayChoice = (method: Method, isChosen: boolean, { t }: CheckoutContext): Html => {
  const { name, about } = describeMethod(method)
  const id = `method-${method.name}`
  return html`<div class="scope"><input type="radio" id="${id}" name="method" value="${method.name}"${isChosen && html` checked`}><label for="${id}">${t(name)}<span class="quiet">${t(about, { days: method.days ?? 0 })}</span></label></div>
`
}

/** The choice of how to pay; says where the school cannot be paid what is due. */
export const wayFields = (ways: Ways, chosen: string, context: CheckoutContext): Html | false => {
  const { methods, isPaid } = ways
  const { t } = context
  if (methods.length === 0) return isPaid && html`<p class="note">${t(texts.checkout.common.noWay)}</p>`
  const first = chooseWay(ways, chosen)
  return html`<fieldset><legend>${t(text.ways)}</legend>
${!isPaid && html`<p class="quiet">${t(text.setUp)}</p>\n`}${methods.map(method => wayChoice(method, method === first, context))}</fieldset>`
}
