import type { Static } from 'typebox'
import type { OrderEntitlements } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'
import { card } from '../../console/frame.ts'
import type { OrderDetail } from './order-acts.ts'

const { order: text, refund } = texts.staff.orders

// What the lines of an order gave.
type Given = Encoded<Static<typeof OrderEntitlements>>['data']

const renderList = (title: string, items: readonly Html[]): Html | undefined =>
  items.length === 0
    ? undefined
    : card(
        title,
        html`<ul class="list">
${items.map(item => html`<li>${item}</li>\n`)}</ul>`,
      )

const renderItem = (title: string, details: readonly (string | undefined)[]): Html =>
  html`<strong>${title}</strong>${details.map(detail => detail !== undefined && html`<br><span class="quiet"><bdi>${detail}</bdi></span>`)}`

/** What an order gave, and its payments, refunds, dispute, invoices and credit notes. */
export const renderMoney = (order: OrderDetail, given: Given, context: StaffContext): (Html | undefined)[] => {
  const { t, day } = context
  const money = (amount: number): string => context.money(amount, order.currency)

  const payments = order.payments.map(payment => {
    const { provider, state, amount, paid_amount: paid, brand, last4, failure_code: code, reference } = payment
    const isPart = paid > 0 && paid !== amount
    const sum = isPart ? t(text.part, { paid: money(paid), amount: money(amount) }) : money(amount)
    const card = provider === 'test' || brand === null || last4 === null ? [] : [t(text.card, { brand, last4 })]
    return renderItem(`${sum}: ${t(text.states[state])}`, [
      [t(findProviderTitle(provider)), ...card, day(payment.created_at)].join(' · '),
      code === null ? undefined : t(text.failure, { code }),
      reference === null ? undefined : t(text.reference, { reference }),
    ])
  })

  const refunds = order.refunds.map(({ amount, state, reason, note, lines, reference, payment_id, created_at }) => {
    const names = lines.map(({ line_id: id }) => order.lines.find(line => line.id === id)?.name ?? '')
    const isOnline = order.payments.some(({ id, provider }) => id === payment_id && provider !== 'manual')
    return renderItem(`${money(amount)}: ${t(text.states[state])}`, [
      `${t(refund.fields.reason.choices[reason])} · ${day(created_at)}`,
      names.length === 0 ? undefined : names.join(', '),
      note ?? undefined,
      state === 'failed' ? t(text.refundFailed) : undefined,
      isOnline && state === 'succeeded' && reference === null ? t(text.refundTransferred) : undefined,
    ])
  })

  const renderDispute = ({ state, amount, opened_at, reason }: NonNullable<OrderDetail['dispute']>): Html =>
    card(
      t(text.dispute),
      html`<p>${t(text.disputeStates[state], { amount: money(amount), day: day(opened_at) })}${reason !== null && html` ${t(text.disputeReason, { reason })}`}</p>`,
    )

  const documents = order.documents.map(({ kind, number, file, total, issued_on, is_test, print_state }) => {
    const name = t(text.documentKinds[kind], { number })
    const state = { pending: text.printing, failed: text.notPrinted, printed: undefined }[print_state]
    const facts = [
      money(total),
      day(`${issued_on}T12:00:00Z`),
      ...(is_test ? [t(text.notAnInvoice)] : []),
      ...(state === undefined ? [] : [t(state)]),
    ]
    return html`${file === null ? html`<strong>${name}</strong>` : html`<a href="${file.url}">${name}</a>`}<br><span class="quiet">${facts.join(' · ')}</span>`
  })

  const renderGiven = ({ id, name }: OrderDetail['lines'][number]): Html[] => {
    const own = given.filter(({ line_id }) => line_id === id)
    if (own.length === 0) return [html`${t(text.notGiven, { name })}`]
    return own.map(({ starts_at, ends_at, ended_at, ended_by }) => {
      const from = day(starts_at)
      if (ended_at !== null && ended_by !== null)
        return html`${t(text.ended, { name, until: day(ended_at), by: t(text.endedBy[ended_by]) })}`
      return ends_at === null
        ? html`${t(text.active, { name, from })}`
        : html`${t(text.activeUntil, { name, from, until: day(ends_at) })}`
    })
  }

  return [
    renderList(t(text.given), order.paid_at === null && given.length === 0 ? [] : order.lines.flatMap(renderGiven)),
    renderList(t(text.payments), payments),
    renderList(t(text.refunds), refunds),
    order.dispute === null ? undefined : renderDispute(order.dispute),
    renderList(t(text.documents), documents),
  ]
}
