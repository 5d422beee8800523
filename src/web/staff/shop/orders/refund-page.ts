import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, hidden, mainButton, select } from '#src/web/page/index.ts'
import { checkbox, field, inputs, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { leftOf } from './act-forms.ts'
import { accessChoices, lineFields } from './refund-form.ts'
import { refundText as text } from './refund-text.ts'
import { orderRefusals, ordersText } from './text.ts'
import type { OrderShown } from './waiting.ts'

/** What the pages of a refund show. */
export type RefundView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly order: OrderShown
  /** What was typed before, if anything. */
  readonly typed: Pairs
  readonly refusal: Refusal | undefined
}

// The reasons that staff can give.
const REASONS = ['requested', 'duplicate', 'fraud', 'event_cancelled', 'other'] as const

type Line = OrderShown['lines'][number]

const lineInputs = (line: Line, { typed, language, order }: RefundView): Html => {
  const names = lineFields(line.id)
  const choices = accessChoices.map(value => ({ value, label: fill(text.accesses[value], language) }))
  const quantity =
    line.quantity > 1 &&
    html`<div>${field({ name: names.quantity, label: fill(text.quantity, language), value: formField(typed, names.quantity), attributes: inputs.number, hint: fill(text.quantityHint, language) })}</div>`
  const label = `${fill(text.amount, language)} (${order.currency})`
  const hint = fill(text.amountHint, language)
  return html`<div class="pair">${quantity}<div>${field({ name: names.amount, label, value: formField(typed, names.amount), attributes: inputs.amount, hint })}</div></div>
${select(names.access, fill(text.access, language), formField(typed, names.access) || 'auto', choices)}`
}

const linePart = (line: Line, view: RefundView): Html => {
  const { language, order, typed } = view
  const { id, name, amount, refunded_amount: refunded } = line
  const left = amount - refunded
  if (left === 0) return html`<p class="quiet">${fill(text.lineDone, language, { name })}</p>\n`
  const money = (one: number) => formatMoney(one, order.currency, language)
  const names = lineFields(id)
  const isChosen = formField(typed, names.chosen) === 'yes'
  const hint = fill(text.lineLeft, language, { left: money(left), amount: money(amount) })
  return html`<fieldset class="card">
<legend class="unseen">${name}</legend>
${checkbox(names.chosen, name, { isChecked: isChosen, hint })}
${lineInputs(line, view)}
</fieldset>
`
}

const choice = (value: string, label: string, isChecked: boolean): Html =>
  html`<div class="scope"><input type="radio" id="what-${value}" name="what" value="${value}"${isChecked && html` checked`}><label for="what-${value}">${label}</label></div>`

const refundForm = (view: RefundView): Html => {
  const { order, language, typed, token } = view
  const left = formatMoney(leftOf(order), order.currency, language)
  const isByLine = formField(typed, 'what') === 'lines'
  const reasons = REASONS.map(value => ({ value, label: fill(ordersText.reasons[value], language) }))
  const inside = html`${hidden({ revision: order.revision, step: 'preview' })}
${choice('whole', fill(text.whole, language, { left }), !isByLine)}
${choice('lines', fill(text.lines, language), isByLine)}
<div class="below">
${order.lines.map(line => linePart(line, view))}</div>
${select('reason', fill(text.reason, language), formField(typed, 'reason') || 'requested', reasons)}
${textArea({ name: 'note', label: fill(text.note, language), value: formField(typed, 'note'), attributes: html`maxlength="500"` })}
<p class="quiet">${fill(text.previewAbout, language)}</p>
${mainButton(fill(text.preview, language))}`
  return formOf(`/staff/orders/${order.number}/refund`, token, inside)
}

/** The page on which staff say what of an order to refund. */
export const refundPage = (view: RefundView): Reply => {
  const { language, order, refusal } = view
  const left = leftOf(order)
  const money = (one: number) => formatMoney(one, order.currency, language)
  const sentence =
    left === 0
      ? fill(text.nothingLeft, language)
      : fill(text.left, language, { left: money(left), total: money(order.total) })
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language, { number: order.number }),
    ...refusedIn(refusal, language, { ...orderRefusals, 'invalid_body chosen': text.chosen }),
    body: html`<p>${sentence}</p>
${left > 0 && refundForm(view)}
<p class="quiet"><a href="/staff/orders/${order.number}">${fill(text.back, language)}</a></p>`,
  })
}
