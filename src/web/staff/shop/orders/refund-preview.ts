import type { Order } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { DryRunOutcome } from '#src/contract/page-call.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { sumOf } from '#src/kit/money.ts'
import { formOf, framed, hidden, mainButton } from '#src/web/page/index.ts'
import type { RefundView } from './refund-page.ts'
import { refundText as text } from './refund-text.ts'
import { ordersText } from './text.ts'

// What a refund would do.
type RefundEffects = DryRunOutcome<typeof Order>

type Refunds = RefundView['order']['refunds']

// The refunds that the order has only in the dry run.
const newRefunds = ({ order }: RefundView, { result }: RefundEffects): Refunds =>
  (result?.refunds ?? []).filter(({ id }) => !order.refunds.some(one => one.id === id))

const moneySentence = ({ amount, payment_id }: Refunds[number], { order, language }: RefundView): string => {
  const payment = order.payments.find(({ id }) => id === payment_id)
  const shown = formatMoney(amount, order.currency, language)
  if (payment === undefined || payment.provider === 'manual') return fill(text.byHand, language, { amount: shown })
  const provider = fill(ordersText.providers[payment.provider], language)
  return fill(text.byProvider, language, { amount: shown, provider })
}

const accessSentences = (refunds: Refunds, { order, language }: RefundView): string[] => {
  const parts = refunds.flatMap(({ lines }) => lines)
  return order.lines.flatMap(({ id, name }) => {
    const own = parts.filter(part => part.line_id === id)
    if (own.length === 0) return []
    return [fill(own.some(part => part.ends_access) ? text.ends : text.stays, language, { name })]
  })
}

const mailSentences = ({ effects }: RefundEffects, { language }: RefundView): string[] => {
  const mails = effects.flatMap(({ effects: { mail } = {} }) => (mail === undefined ? [] : [fill(mail, language)]))
  return mails.length === 0 ? [fill(text.noMail, language)] : [...new Set(mails)]
}

const row = (name: string, sentences: readonly string[]): Html =>
  html`<dt>${name}</dt>${sentences.map(sentence => html`<dd><bdi>${sentence}</bdi></dd>`)}\n`

// What was typed, sent again: to perform it, or to change it.
const again = ({ typed }: RefundView, step: 'confirm' | 'edit'): Html[] =>
  hidden({ ...Object.fromEntries(typed.filter(([name]) => name !== 'token')), step })

/** The page that says what a refund does to money, access and mail, before it is done. */
export const previewPage = (view: RefundView, outcome: RefundEffects): Reply => {
  const { language, order, token } = view
  const refunds = newRefunds(view, outcome)
  const amount = formatMoney(sumOf(refunds.map(one => one.amount)), order.currency, language)
  const action = `/staff/orders/${order.number}/refund`
  const sentences = refunds.map(one => moneySentence(one, view))
  return framed({
    school: view.school,
    language,
    title: fill(text.previewTitle, language, { amount }),
    body: html`<dl>
${row(fill(text.money, language), sentences)}${row(fill(text.access_effect, language), accessSentences(refunds, view))}${row(fill(text.mail, language), mailSentences(outcome, view))}</dl>
${formOf(action, token, html`${again(view, 'confirm')}${mainButton(fill(text.confirm, language, { amount }))}`)}
${formOf(action, token, html`${again(view, 'edit')}<div class="buttons"><button type="submit">${fill(text.change, language)}</button></div>`)}
<p class="quiet"><a href="/staff/orders/${order.number}">${fill(text.back, language)}</a></p>`,
  })
}
