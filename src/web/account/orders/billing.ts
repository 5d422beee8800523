import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, mainButton, noticeFor, page, redirect, select, shownAgain } from '#src/web/page/index.ts'
import { countryChoices } from '../countries.ts'
import { buyer, type OrderContext, orderPath } from './own.ts'

const { labels, text } = texts.account.billing

// In the order of the form, with the longest value and the autocompletion of each.
const billingFields = {
  name: [120, 'name'],
  company: [120, 'organization'],
  line1: [120, 'address-line1'],
  line2: [120, 'address-line2'],
  postal_code: [20, 'postal-code'],
  city: [120, 'address-level2'],
  region: [120, 'address-level1'],
  country: [2, 'off'],
  tax_id: [30, 'off'],
} as const

type FieldName = keyof typeof billingFields

const names = Object.keys(billingFields) as FieldName[]

const storedIn = ({ order: { billing } }: OrderContext): Pairs => {
  const stored: Readonly<Record<string, unknown>> = { ...billing.address, ...billing }
  return names.map(name => [name, String(stored[name] ?? '')])
}

const buildBody = (typed: Pairs) => {
  const line = (name: FieldName): string => formField(typed, name).trim()
  const orNull = (name: FieldName): string | null => line(name) || null
  const address = {
    line1: line('line1'),
    line2: orNull('line2'),
    postal_code: orNull('postal_code'),
    city: line('city'),
    region: orNull('region'),
  }
  const isEmpty = Object.values(address).every(value => !value)
  return {
    name: orNull('name'),
    company: orNull('company'),
    country: orNull('country'),
    tax_id: orNull('tax_id'),
    address: isEmpty ? null : address,
  }
}

const renderField = (name: FieldName, values: Pairs, context: OrderContext): Html => {
  const label = context.t(labels[name])
  const value = formField(values, name).trim()
  if (name === 'country') return select('country', label, value, countryChoices(context.language, context.t(text.none)))
  const [most, autocomplete] = billingFields[name]
  return html`<label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" value="${value}" maxlength="${most}" autocomplete="${autocomplete}">`
}

const buildNotice = (refusal: Refusal | undefined, { t, language }: OrderContext) => {
  const pointers = (refusal?.extras.errors ?? []).map(({ pointer }) => pointer.split('/').at(-1))
  const wrong = names.filter(name => pointers.includes(name)).map(name => t(labels[name]))
  const said = { billing_changes_tax: text.tax, other: text.refused }
  const shown = noticeFor(refusal, language, { said })
  return wrong.length === 0
    ? shown
    : { ...shown, notice: { kind: 'refused' as const, text: t(text.wrong, { fields: wrong.join(', ') }) } }
}

const show = (context: OrderContext, refused?: { readonly typed: Pairs; readonly refusal: Refusal }): Reply => {
  const { order, t, form, frame } = context
  const values = refused?.typed ?? storedIn(context)
  return frame({
    title: t(text.title, { number: order.number }),
    ...buildNotice(refused?.refusal, context),
    body: html`<p>${t(text.intro)}</p>
${form(html`${names.map(name => html`${renderField(name, values, context)}\n`)}${mainButton(t(texts.words.save))}`)}
<p class="quiet"><a href="${orderPath(order)}">${t(texts.words.toOrder)}</a></p>`,
  })
}

/** GET and POST /account/orders/:number/billing: to whom an order that waits for payment is billed. */
export const billingPages = [
  page('GET /account/orders/:number/billing', buyer, async context =>
    context.order.status === 'pending' ? show(context) : redirect(orderPath(context.order)),
  ),
  form('POST /account/orders/:number/billing', buyer, async (context, typed) => {
    const { order, call } = context
    if (order.status !== 'pending') return redirect(orderPath(order))
    return shownAgain(
      async () => {
        const params = { order_id: order.id }
        await call({ operation: 'updateAccountOrderBilling', params, body: buildBody(typed) })
        return `${orderPath(order)}?done=billing`
      },
      async refusal => show(context, { typed, refusal }),
    )
  }),
]
