import type { Static } from 'typebox'
import { Order, refreshPayments } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { html } from '#src/kit/html.ts'
import { fromId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { type Audience, orNothing } from '#src/web/page/index.ts'
import type { AccountContext, AccountPagesParts } from '../parts.ts'

/** An order, as the API returns it to its buyer. */
export type OwnOrder = Encoded<Static<typeof Order>>

/** A page of an order of the person. */
export type OrderContext = AccountContext & { readonly order: OwnOrder }

const { order: text } = texts.account

const NUMBER = /^[A-Z0-9-]{1,40}$/

/** The address of the page of an order. */
export const orderPath = ({ number }: Pick<OwnOrder, 'number'>): string => `/account/orders/${number}`

const readOrder = async ({ params, call }: AccountContext): Promise<OwnOrder | undefined> => {
  const { number = '' } = params
  if (!NUMBER.test(number)) return undefined
  return orNothing(call({ operation: 'getAccountOrder', params: { order_id: `number:${number}` }, returns: Order }))
}

/** The same page with the order as it is now. */
export const readAgain = async <Context extends OrderContext>(context: Context): Promise<Context> => ({
  ...context,
  order: (await readOrder(context)) ?? context.order,
})

/** The payment that the buyer has begun and that has not ended. */
export const openPayment = ({ payments }: OwnOrder): OwnOrder['payments'][number] | undefined =>
  payments.findLast(({ state }) => state === 'asked' || state === 'open' || state === 'processing')

/** Whether the order may become paid by itself at any moment. */
export const isWaiting = ({ status }: OwnOrder): boolean => status === 'pending' || status === 'processing'

/** Asks the providers of an order what became of its payments, and returns the page with the order as it is then. */
export const askProviders = async (context: OrderContext): Promise<OrderContext> => {
  const { order, request, school, parts } = context
  const orderId = fromId('ord', order.id)
  const payment = openPayment(order)
  if (orderId === undefined || payment === undefined || payment.provider === 'manual' || !isWaiting(order))
    return context
  await refreshPayments({ database: request.database, school, keyFor: parts.keyFor }, { orderId })
  return readAgain(context)
}

const showMissing = ({ t, form, frame, viewer: { name, email } }: AccountContext): Reply => {
  const { missing } = text
  const button = html`<div class="buttons"><button type="submit">${t(texts.words.signOut)}</button></div>`
  return frame({
    title: t(missing.title),
    status: 404,
    body: html`<p>${t(missing.text, { name, email })}</p>
<p>${t(missing.other)}</p>
${form(button, '/account/sign-out')}
<p class="quiet"><a href="/account/orders">${t(text.back)}</a></p>`,
  })
}

/** The buyer of the order whose number is in the path; an order of somebody else is as one that does not exist. */
export const buyer: Audience<AccountPagesParts, Pick<OrderContext, 'order'>> = {
  admit: async context => {
    const order = await readOrder(context)
    return order === undefined ? showMissing(context) : { order }
  },
}
