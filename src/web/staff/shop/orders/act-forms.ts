import { fill } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { sumOf } from '#src/kit/money.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import { field, folded, inputs, textArea } from '../../pages/fields.ts'
import { addressFields, billingFields, type OrderAct, orderActs } from './acts.ts'
import { orderText as text } from './order-text.ts'
import type { OrderView } from './order-view.ts'

// What was typed into the form that was refused.
const typed = ({ refused }: OrderView, act: OrderAct, name: string): string | undefined =>
  refused?.act === act ? formField(refused.form, name) : undefined

const confirmFields = (view: OrderView): Html => {
  const { order, language } = view
  const missing = order.total - order.paid_total
  const hint =
    missing > 0
      ? fill(text.amountHint, language, { missing: formatMoney(missing, order.currency, language) })
      : fill(text.amountMore, language)
  return html`<div class="pair"><div>${field({
    name: 'amount',
    label: `${fill(text.amount, language)} (${order.currency})`,
    value: typed(view, 'confirm', 'amount') ?? '',
    attributes: inputs.amount,
    hint,
  })}</div><div>${field({
    name: 'received_on',
    label: fill(text.receivedOn, language),
    value: typed(view, 'confirm', 'received_on') ?? '',
    attributes: inputs.day,
    hint: fill(text.receivedHint, language),
  })}</div></div>`
}

const noteField = (view: OrderView): Html =>
  textArea({
    name: 'note',
    label: fill(text.note, view.language),
    value: typed(view, 'note', 'note') ?? view.order.note ?? '',
    attributes: html`maxlength="1000"`,
  })

const billingInputs = (view: OrderView): Html => {
  const { language, order } = view
  const { address, ...billing } = order.billing
  const stored: Readonly<Record<string, string | null | undefined>> = { ...billing, ...address }
  const one = (name: keyof typeof text.billingFields): Html =>
    html`<div>${field({
      name,
      label: fill(text.billingFields[name], language),
      value: typed(view, 'reissue', name) ?? stored[name] ?? '',
      attributes: html`type="text" maxlength="120" autocomplete="off"`,
    })}</div>`
  return html`<div class="pair">${[...billingFields, ...addressFields].map(one)}</div>`
}

const fields: Partial<Record<OrderAct, (view: OrderView) => Html>> = {
  confirm: confirmFields,
  reissue: billingInputs,
  note: noteField,
}

const actForm = (act: OrderAct, view: OrderView): Html => {
  const { order, token, language, refused } = view
  const { title, about, button } = text.acts[act]
  const inside = html`${hidden({ act, revision: order.revision })}${fields[act]?.(view)}
<div class="buttons"><button type="submit">${fill(button, language)}</button></div>`
  const form = html`<p class="quiet">${fill(about, language)}</p>
${formOf(`/staff/orders/${order.number}`, token, inside)}`
  return folded(fill(title, language), form, refused?.act === act)
}

const hasTransfer = ({ order }: OrderView): boolean =>
  order.refunds.length === 0 && order.payments.some(one => one.provider === 'manual' && one.paid_amount > 0)

const isPaid = ({ order }: OrderView): boolean =>
  order.status === 'paid' || order.status === 'partially_refunded' || order.status === 'refunded'

// What an order does not allow is not offered; the operation decides all the same.
const isOffered: Readonly<Record<OrderAct, (view: OrderView) => boolean>> = {
  confirm: view => !isPaid(view) && view.order.total > 0,
  undo: hasTransfer,
  cancel: ({ order }) => order.status === 'pending',
  dispute: ({ order }) => order.dispute?.state === 'open',
  receipt: isPaid,
  reissue: view => isPaid(view) && view.documents.some(({ kind }) => kind === 'invoice'),
  note: () => true,
}

/** What of an order is left to refund, in minor units. */
export const leftOf = ({ lines }: OrderView['order']): number =>
  sumOf(lines.map(line => line.amount - line.refunded_amount))

const refundLink = (view: OrderView): Html | undefined => {
  const { order, language } = view
  if (!isPaid(view) || leftOf(order) === 0) return undefined
  return html`<section class="card">
<h3>${fill(text.refund.title, language)}</h3>
<p class="quiet">${fill(text.refund.about, language)}</p>
<p><a class="button" href="/staff/orders/${order.number}/refund">${fill(text.refund.button, language)}</a></p>
</section>
`
}

/** What staff can do about an order; each says what it does before it is done. */
export const actForms = (view: OrderView): (Html | undefined)[] => [
  refundLink(view),
  ...orderActs.filter(act => isOffered[act](view) || view.refused?.act === act).map(act => actForm(act, view)),
]
