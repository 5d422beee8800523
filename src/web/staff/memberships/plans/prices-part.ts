import { fill, type Phrase } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden, select } from '#src/web/page/index.ts'
import { field, folded, inputs } from '../../pages/fields.ts'
import { planText as text } from './plan-text.ts'
import type { PlanView } from './plan-view.ts'
import { type PriceShown, planPath, priceOf } from './shown.ts'

const priceForm = (act: 'primary' | 'retire', price: PriceShown, { context, plan }: PlanView): Html => {
  const { t, language, token } = context
  const label = t(act === 'primary' ? text.makePrimary : text.retire)
  const inside = html`${hidden({ act, price: price.id, revision: plan.revision })}<button class="small" type="submit" aria-label="${label}: ${priceOf(price, language)}">${label}</button>`
  return formOf(planPath(plan.id), token, inside)
}

const moveLink = (price: PriceShown, { plan, context: { language } }: PlanView): Html => {
  const label = fill(text.move, language)
  return html`<p class="quiet"><a href="${planPath(plan.id)}/prices/${price.id}/moves" aria-label="${label}: ${priceOf(price, language)}">${label}</a></p>`
}

const endedPart = (view: PlanView): Html | false => {
  const { t, language } = view.context
  return (
    view.ended.length > 0 &&
    folded(
      t(text.ended),
      html`<ul class="list">
${view.ended.map(price => html`<li>${priceOf(price, language)}${price.payment_type === 'subscription' && moveLink(price, view)}</li>\n`)}</ul>`,
    )
  )
}

const replacesField = ({ prices, context: { language } }: PlanView, typed: string): Html | false =>
  prices.length > 0 &&
  select('replaces', fill(text.replaces, language), typed, [
    { value: '', label: fill(text.replacesNone, language) },
    ...prices.map(price => ({ value: price.id, label: priceOf(price, language) })),
  ])

const item = (price: PriceShown, view: PlanView): Html => {
  const { t, language } = view.context
  const name = priceOf(price, language)
  const primary = price.is_primary && html`<br><span class="quiet">${t(text.primary)}</span>`
  const retire = t(text.retire)
  const moves = price.payment_type === 'subscription' && moveLink(price, view)
  // What cannot be undone takes two steps.
  return html`<li><div class="act"><span>${name}${primary}</span>${!price.is_primary && priceForm('primary', price, view)}</div>
<details><summary aria-label="${retire}: ${name}">${retire}</summary>
<p class="quiet">${t(text.retireAbout)}</p>
${priceForm('retire', price, view)}</details>${moves}</li>
`
}

type Typed = (name: string) => string

const number = (name: string, label: Phrase, typed: Typed, { context: { language } }: PlanView, hint?: Phrase): Html =>
  field({
    name,
    label: fill(label, language),
    value: typed(name),
    attributes: inputs.number,
    ...(hint === undefined ? {} : { hint: fill(hint, language) }),
  })

const periodFields = (view: PlanView, typed: Typed): Html => {
  const { t } = view.context
  const intervals = Object.entries(text.intervals).map(([value, name]) => ({ value, label: t(name) }))
  return html`<div class="pair"><div>${select('interval', t(text.interval), typed('interval') || 'month', intervals)}</div>
<div>${number('interval_count', text.count, name => typed(name) || '1', view)}</div></div>`
}

// A plan that is paid again has subscriptions; the others may be paid in parts.
const typeFields = (view: PlanView, typed: Typed): Html =>
  view.plan.plan_type === 'recurring'
    ? html`${periodFields(view, typed)}
${number('trial_days', text.trial, typed, view)}`
    : html`${number('number_of_payments', text.payments, typed, view, text.paymentsHint)}
${periodFields(view, typed)}`

const adding = (view: PlanView): Html => {
  const { context, plan, refused, currency, formKey } = view
  const { t, token } = context
  const isRefused = refused?.act === 'price'
  const typed = (name: string): string => (isRefused ? formField(refused.form, name) : '')
  const isRecurring = plan.plan_type === 'recurring'
  const amount = {
    name: 'amount',
    label: `${t(isRecurring ? text.each : text.amount)} (${currency})`,
    value: typed('amount'),
    attributes: inputs.amount,
    ...(isRecurring ? {} : { hint: t(text.amountHint) }),
  }
  const inside = html`${hidden({ act: 'price', form_key: typed('form_key') || formKey })}<p class="quiet">${t(text.addPriceAbout)}</p>
${field(amount)}
${typeFields(view, typed)}
${replacesField(view, typed('replaces'))}
<div class="buttons"><button type="submit">${t(text.addPrice)}</button></div>`
  return folded(t(text.addPrice), formOf(planPath(plan.id), token, inside), isRefused)
}

/** The prices at which a plan is sold. */
export const pricesPart = (view: PlanView): Html => {
  const { prices, context } = view
  const { t } = context
  return html`<h2>${t(text.prices)}</h2>
${prices.length === 0 ? html`<p>${t(text.noPrices)}</p>` : html`<ul class="list">\n${prices.map(price => item(price, view))}</ul>`}
${adding(view)}
${endedPart(view)}`
}
