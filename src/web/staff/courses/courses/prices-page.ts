import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Price } from '#src/contract/price.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { endOf, formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { choose, type FormState, line } from '../../forms/fields.ts'
import { inputs } from '../../pages/fields.ts'
import type { CourseView } from './course.ts'
import { courseHead, coursePage, pathOf, toCourses } from './frame.ts'
import { pricesText as text } from './prices-text.ts'
import { courseRefusals } from './text.ts'

type PriceView = Encoded<Static<typeof Price>>

type PricesShown = {
  readonly course: CourseView
  readonly prices: readonly PriceView[]
  readonly currency: string
  readonly again: { readonly form: Pairs; readonly refusal: Refusal } | undefined
}

const factsOf = (price: PriceView, { t, language, viewer }: StaffContext): string => {
  const { payment_type: type, interval, access, seats_left: n } = price
  const until = access?.until ?? null
  return [
    t(text.types[type]),
    ...(interval === null ? [] : [t(text.every[interval])]),
    ...(access?.days == null ? [] : [t(text.days, { n: access.days })]),
    ...(until === null ? [] : [t(text.until, { day: endOf(until, language, viewer) })]),
    ...(n === null ? [] : [t(text.seats, { n })]),
    ...(price.is_primary ? [t(text.primary)] : []),
  ].join(' · ')
}

const priceItem = (price: PriceView, context: StaffContext, { course, prices }: PricesShown): Html => {
  const { t, language, token, isStaff } = context
  const amount = price.amount === 0 ? t(text.free) : formatMoney(price.amount, price.currency, language)
  const form = (act: string, phrase: Phrase, fields: Readonly<Record<string, string | number>> = {}): Html => {
    const label = t(phrase)
    const inside = html`${hidden({ act, price: price.id, ...fields })}<button class="plain" type="submit" aria-label="${label}: ${amount}">${label}</button>`
    return formOf(`${pathOf(course)}/prices`, token, inside)
  }
  const canLead = !price.is_primary && prices.length > 1
  // What cannot be undone takes two steps.
  const retire = t(text.retire)
  const ending = html`<details><summary aria-label="${retire}: ${amount}">${retire}</summary>
<p class="quiet">${t(text.retireAbout)}</p>
${form('retire', text.retire)}</details>`
  return html`<li><div class="act"><span><strong>${amount}</strong><br><span class="quiet">${factsOf(price, context)}</span></span>${isStaff && canLead && html`<span class="tools">${form('primary', text.makePrimary, { revision: course.revision })}</span>`}</div>
${isStaff && ending}</li>
`
}

const choices = (phrases: Readonly<Record<string, Phrase>>, { t }: StaffContext) =>
  Object.entries(phrases).map(([value, phrase]) => ({ value, label: t(phrase) }))

const addForm = (state: FormState, context: StaffContext, { course, currency }: PricesShown): Html => {
  const { t, token } = context
  const number = (name: string, phrase: Phrase, hint: Phrase): Html =>
    line(state, { name, label: t(phrase), hint: t(hint), attributes: inputs.number })
  const isRecurring = ['subscription', 'payment_plan'].includes(formField(state.typed, 'payment_type'))
  const inside = html`${hidden({ act: 'add', form_key: formField(state.typed, 'form_key') || randomUUID() })}
<div class="pair">${choose(state, { name: 'payment_type', label: t(text.type) }, choices(text.types, context))}
${line(state, { name: 'amount', label: t(text.amount, { currency }), hint: t(text.amountHint), attributes: inputs.amount })}</div>
<div class="pair">${number('access_days', text.accessDays, text.accessDaysHint)}
${number('enrollment_cap', text.cap, text.capHint)}</div>
<details class="filters"${isRecurring && html` open`}><summary>${t(text.recurring)}</summary>
<div class="pair">${choose(state, { name: 'interval', label: t(text.interval) }, choices(text.intervals, context))}
${number('interval_count', text.count, text.countHint)}
${number('number_of_payments', text.payments, text.paymentsHint)}
${number('trial_days', text.trial, text.trialHint)}</div></details>
<div class="buttons row"><button class="main" type="submit">${t(text.add)}</button></div>`
  return html`<h2>${t(text.add)}</h2>\n${formOf(`${pathOf(course)}/prices`, token, inside)}`
}

const FIELDS = [
  'payment_type',
  'amount',
  'access_days',
  'access',
  'enrollment_cap',
  'interval_count',
  'number_of_payments',
  'trial_days',
]

/** The page with the prices of a course. */
export const pricesPage = (context: StaffContext, view: PricesShown): Promise<Reply> => {
  const { t, language, isStaff } = context
  const { course, prices, again } = view
  const refusal = again?.refusal
  const errors = errorsIn(refusal, language, text.errors)
  const blank: Pairs = [
    ['payment_type', 'one_time'],
    ['interval', 'month'],
  ]
  const isAgain = again !== undefined && formField(again.form, 'act') === 'add'
  const state: FormState = isAgain ? { typed: again.form, errors } : { typed: blank, errors: new Map() }
  return coursePage(context, {
    title: t(text.title, { name: course.name }),
    above: [toCourses(context), { href: pathOf(course), name: course.name }],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: FIELDS, refusals: courseRefusals }),
    body: html`${courseHead(context, course, 'prices')}
${prices.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list">\n${prices.map(price => priceItem(price, context, view))}</ul>`}
${isStaff ? html`<p class="quiet">${t(text.about)}</p>\n${addForm(state, context, view)}` : html`<p class="quiet">${t(text.forStaff)}</p>`}`,
  })
}
