import type { Order } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { DryRunOutcome } from '#src/contract/page-call.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { computeSum } from '#src/kit/money.ts'
import { texts } from '#src/texts/index.ts'
import { hidden, mainButton } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { OrderShown } from './shown.ts'

const { refund: text } = texts.staff.orders

type Refund = OrderShown['refunds'][number]

/** The page that says what a refund does to money, access and mail, before it is done. */
export const showPreview = (
  context: StaffContext,
  order: OrderShown,
  typed: Pairs,
  { result, effects }: DryRunOutcome<typeof Order>,
): Reply => {
  const { t, form } = context
  const money = (amount: number): string => context.money(amount, order.currency)
  // The refunds that the order has only in the dry run.
  const refunds = (result?.refunds ?? []).filter(({ id }) => !order.refunds.some(one => one.id === id))
  const parts = refunds.flatMap(({ lines }) => lines)
  const mails = effects.flatMap(({ effects: { mail } = {} }) => (mail === undefined ? [] : [t(mail)]))
  const amount = money(computeSum(refunds.map(one => one.amount)))

  // What a provider pays back is on its way at first.
  const describeMoney = ({ amount: sum, payment_id, state }: Refund): string => {
    const payment = order.payments.find(({ id }) => id === payment_id)
    if (payment === undefined || state === 'succeeded') return t(text.byHand, { amount: money(sum) })
    return t(text.byProvider, { amount: money(sum), provider: t(findProviderTitle(payment.provider)) })
  }
  const describeAccess = ({ id, name }: OrderShown['lines'][number]): string[] => {
    const own = parts.filter(part => part.line_id === id)
    return own.length === 0 ? [] : [t(own.some(part => part.ends_access) ? text.ends : text.stays, { name })]
  }
  const row = (name: string, sentences: readonly string[]): Html =>
    html`<div><dt>${name}</dt>${sentences.map(sentence => html`<dd><bdi>${sentence}</bdi></dd>`)}</div>\n`
  // What was typed, sent again: to perform it, or to change it.
  const again = (step: 'confirm' | 'edit'): Html[] =>
    hidden({ ...Object.fromEntries(typed.filter(([name]) => name !== 'token')), step })

  return context.frame({
    title: t(text.previewTitle, { amount }),
    parents: [{ path: `/staff/orders/${order.number}`, name: order.number }],
    body: html`<dl class="facts">
${row(t(texts.words.money), refunds.map(describeMoney))}${row(t(texts.words.access), order.lines.flatMap(describeAccess))}${row(t(text.mail), mails.length === 0 ? [t(text.noMail)] : [...new Set(mails)])}</dl>
${form(html`${again('confirm')}${mainButton(t(text.confirm, { amount }))}`)}
${form(html`${again('edit')}<div class="buttons"><button type="submit">${t(text.change)}</button></div>`)}`,
  })
}
