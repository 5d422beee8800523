import type { Order } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { DryRunOutcome } from '#src/contract/page-call.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { computeSum } from '#src/kit/money.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { pill } from '../../console/frame.ts'
import { renderBuyer, renderLines } from './order.ts'
import type { OrderShown } from './shown.ts'

const { refund: text } = texts.staff.orders

type Refund = OrderShown['refunds'][number]

type Previewed = {
  readonly order: OrderShown
  readonly typed: Pairs
  /** The number of the invoice that is corrected. */
  readonly invoice: string | undefined
  readonly outcome: DryRunOutcome<typeof Order>
}

// What a provider pays back is on its way at first.
const describeMoney = (
  { amount, payment_id, state }: Refund,
  { payments, currency }: OrderShown,
  { t, money }: StaffContext,
): string => {
  const payment = payments.find(({ id }) => id === payment_id)
  const sum = money(amount, currency)
  if (payment === undefined || state === 'succeeded') return t(text.byHand, { amount: sum })
  return t(text.byProvider, { amount: sum, provider: t(findProviderTitle(payment.provider)) })
}

/** The page that says what a refund does to money, documents, access and mail, before it is done. */
export const showPreview = (context: StaffContext, previewed: Previewed): Reply => {
  const { order, typed, invoice, outcome } = previewed
  const { t, form } = context
  const { result, effects } = outcome
  // The refunds that the order has only in the dry run.
  const refunds = (result?.refunds ?? []).filter(({ id }) => !order.refunds.some(one => one.id === id))
  const parts = refunds.flatMap(({ lines }) => lines)
  const mails = effects.flatMap(({ effects: { mail } = {} }) => (mail === undefined ? [] : [t(mail)]))
  const amount = context.money(computeSum(refunds.map(one => one.amount)), order.currency)
  const describeAccess = ({ id, name }: OrderShown['lines'][number]): string[] => {
    const own = parts.filter(part => part.line_id === id)
    return own.length === 0 ? [] : [t(own.some(part => part.ends_access) ? text.ends : text.stays, { name })]
  }
  const row = (name: string, sentences: readonly string[]): Html | false =>
    sentences.length > 0 &&
    html`<div><dt>${name}</dt>${sentences.map(sentence => html`<dd><bdi>${sentence}</bdi></dd>`)}</div>\n`
  // What was typed, sent again: to perform it, or to change it.
  const again = typed.filter(([name]) => name !== 'token' && name !== 'step')
  return context.frame({
    title: t(text.previewTitle, { amount }),
    parents: [{ path: `/staff/orders/${order.number}`, name: order.number }],
    isWide: true,
    hasCards: true,
    body: html`<div class="split"><section class="card" aria-labelledby="effects">
<header><h2 id="effects">${t(text.effects)}</h2>${pill(t(text.previewAbout), 'info')}</header>
<dl class="facts">
${row(
  t(texts.words.money),
  refunds.map(one => describeMoney(one, order, context)),
)}${row(t(text.documents), invoice === undefined ? [] : [t(text.creditNote, { invoice })])}${row(t(texts.words.access), order.lines.flatMap(describeAccess))}${row(t(text.mail), mails.length === 0 ? [t(text.noMail)] : [...new Set(mails)])}</dl>
${form(html`${hidden(Object.fromEntries(again))}<div class="buttons"><button type="submit" name="step" value="edit">${t(text.change)}</button>
<button class="main bad" type="submit" name="step" value="confirm">${t(text.confirm, { amount })}</button></div>`)}
</section>
<div class="stack">${renderBuyer(order, context)}${renderLines(order, context)}</div></div>`,
  })
}
