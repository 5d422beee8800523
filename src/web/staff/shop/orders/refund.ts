import { InvoicePage, Order } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import {
  checkbox,
  choice,
  field,
  fieldsFor,
  form,
  hidden,
  inputs,
  isShown,
  noticeFor,
  page,
  redirect,
  revisionIn,
  select,
  text as textField,
  typedAmount,
  unlessEmpty,
} from '#src/web/page/index.ts'
import { recentStaff, type StaffContext, staff } from '../../audience.ts'
import { renderBuyer, renderLines } from './order.ts'
import { showPreview } from './refund-preview.ts'
import { computeLeft, type OrderShown, orderRefusals, readOrder } from './shown.ts'

const text = texts.staff.orders.refund

// The reasons that staff can give.
const REASONS = ['requested', 'duplicate', 'fraud', 'event_cancelled', 'other'] as const

const fields = fieldsFor<{ reason: (typeof REASONS)[number]; note?: string }>()(text.fields, {
  reason: choice(REASONS),
  note: unlessEmpty(textField({ most: 500 })),
})

type Line = OrderShown['lines'][number]

/** The names of the fields of a line. */
const namesFor = (lineId: string) => ({
  chosen: `line_${lineId}`,
  quantity: `quantity_${lineId}`,
  amount: `amount_${lineId}`,
  access: `access_${lineId}`,
})

const readLine = (typed: Pairs, id: string, currency: string, { language }: StaffContext) => {
  const names = namesFor(id)
  const part = (name: string): string => formField(typed, name).trim()
  const [access, sum, many] = [part(names.access), part(names.amount), part(names.quantity)]
  const amount = sum === '' ? undefined : typedAmount(sum, { pointer: '/lines', currency, language })
  const quantity = many === '' ? undefined : readWhole(many, 4)
  if (amount === 0) refuseInvalid([{ pointer: '/lines', code: 'amount', message: 'is not an amount' }])
  if (many !== '' && !quantity) refuseInvalid([{ pointer: '/lines', code: 'quantity', message: 'is not a quantity' }])
  return {
    line_id: id,
    ...(amount === undefined ? {} : { amount }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(access === 'ends' || access === 'keeps' ? { ends_access: access === 'ends' } : {}),
  }
}

/** The refund that a form describes, as the operation takes it. Refuses amounts and quantities that are none. */
const readRefund = (typed: Pairs, order: OrderShown, context: StaffContext): Record<string, unknown> => {
  const rest = fields.body(typed, context)
  if (formField(typed, 'what') !== 'lines') return rest
  const chosen = order.lines.filter(({ id }) => formField(typed, namesFor(id).chosen) === 'yes')
  if (chosen.length === 0) refuseInvalid([{ pointer: '/chosen', code: 'required', message: 'names no line' }])
  return { ...rest, lines: chosen.map(({ id }) => readLine(typed, id, order.currency, context)) }
}

const renderLine = (line: Line, currency: string, typed: Pairs, { t, money }: StaffContext): Html => {
  const { id, name, amount, refunded_amount: refunded, quantity } = line
  const left = amount - refunded
  if (left === 0) return html`<p class="quiet">${t(text.lineDone, { name })}</p>\n`
  const names = namesFor(id)
  const hint = t(text.lineLeft, { left: money(left, currency), amount: money(amount, currency) })
  // What is decided about access: `auto` ends it when nothing of the line is left.
  const accesses = Object.entries(text.accesses).map(([value, label]) => ({ value, label: t(label) }))
  const input = (one: 'quantity' | 'amount', label: string, attributes: Html): Html =>
    html`<div>${field({ name: names[one], label, value: formField(typed, names[one]), attributes, hint: t(text[`${one}Hint`]) })}</div>`
  return html`<fieldset class="card">
<legend class="unseen">${name}</legend>
${checkbox(names.chosen, name, { isChecked: formField(typed, names.chosen) === 'yes', hint })}
<div class="pair">${quantity > 1 && input('quantity', t(text.quantity), inputs.number)}${input('amount', `${t(texts.words.amount)} (${currency})`, inputs.amount)}</div>
${select(names.access, t(texts.words.access), formField(typed, names.access) || 'auto', accesses)}
</fieldset>
`
}

const renderForm = (order: OrderShown, context: StaffContext, typed: Pairs, refusal: Refusal | undefined): Html => {
  const { t, money, language } = context
  const isByLine = formField(typed, 'what') === 'lines'
  const what = (value: string, label: string, isChecked: boolean): Html =>
    html`<div class="scope"><input type="radio" id="what-${value}" name="what" value="${value}"${isChecked && html` checked`}><label for="what-${value}">${label}</label></div>`
  return context.form(html`${hidden({ revision: order.revision, step: 'preview' })}
${what('whole', t(text.whole, { left: money(computeLeft(order), order.currency) }), !isByLine)}
${what('lines', t(text.lines), isByLine)}
<div class="stack by-line">
${order.lines.map(line => renderLine(line, order.currency, typed, context))}</div>
${fields.rows({ language, typed, refusal }, ['reason', 'note'])}
<div class="buttons"><a class="button" href="/staff/orders/${order.number}">${t(text.keep)}</a>
<button class="main" type="submit">${t(text.preview)}</button></div>`)
}

const show = async (context: StaffContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, language } = context
  const order = await readOrder(context)
  const left = computeLeft(order)
  const money = (one: number) => context.money(one, order.currency)
  return context.frame({
    title: t(text.title, { number: order.number }),
    parents: [{ path: `/staff/orders/${order.number}`, name: order.number }],
    ...noticeFor(refusal, language, { sets: [fields], said: { ...orderRefusals, 'invalid_body chosen': text.chosen } }),
    isWide: true,
    hasCards: true,
    body: html`<div class="split"><section class="card" aria-label="${t(texts.staff.orders.order.refund.title)}">
<p>${left === 0 ? t(text.nothingLeft) : t(text.left, { left: money(left), total: money(order.total) })}</p>
${left > 0 && renderForm(order, context, typed, refusal)}</section>
<div class="stack">${renderBuyer(order, context)}${renderLines(order, context)}</div></div>`,
  })
}

// The number of the invoice that a refund corrects, which is the newest one.
const findInvoice = async ({ id }: OrderShown, { call }: StaffContext): Promise<string | undefined> => {
  const query = [
    ['order_id', id],
    ['kind', 'invoice'],
    ['sort', '-created_at'],
    ['limit', '1'],
  ] as const
  return (await call({ operation: 'listInvoices', query, returns: InvoicePage })).data[0]?.number
}

const submit = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const step = formField(typed, 'step')
  if (step === 'edit') return show(context, typed)
  const order = await readOrder(context)
  try {
    const call = {
      operation: 'refundOrder',
      params: { order_id: order.id },
      body: readRefund(typed, order, context),
      revision: revisionIn(typed),
      returns: Order,
    }
    if (step !== 'confirm') {
      const outcome = await context.call({ ...call, dryRun: true })
      return showPreview(context, { order, typed, outcome, invoice: await findInvoice(order, context) })
    }
    await context.call(call)
    return redirect(`/staff/orders/${order.number}?done=refund`)
  } catch (error) {
    // The order may have changed while the form was performed.
    if (isShown(error)) return show(context, typed, error)
    throw error
  }
}

/** GET and POST /staff/orders/:number/refund. */
export const orderRefund = [
  page('GET /staff/orders/:number/refund', recentStaff, context => show(context)),
  form('POST /staff/orders/:number/refund', staff, submit),
]
