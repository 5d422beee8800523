import type { Static } from 'typebox'
import { PricePage, School } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Price } from '#src/contract/price.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  actIn,
  buildState,
  choice,
  type Field,
  type FormState,
  fieldsFor,
  fileForm,
  hidden,
  hiddenFor,
  money,
  page,
  type Refused,
  showEnd,
  shownAgain,
  whole,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { saleNote } from '../../sale-note.ts'
import { type CourseView, getCourse } from './course.ts'
import { buildPath, renderCoursePart } from './frame.ts'

const { prices: text } = texts.staff.courses

type PriceView = Encoded<Static<typeof Price>>

const isRecurring = (typed: Pairs): boolean =>
  ['subscription', 'payment_plan'].includes(formField(typed, 'payment_type'))

// What is paid once has no interval.
const ifRecurring = <Value>(field: Field<Value>): Field<Value | null> => ({
  ...field,
  read: (form, name, reader) => (isRecurring(form) ? field.read(form, name, reader) : null),
  write: (value, name, reader) => (value === null ? [[name, '']] : field.write(value, name, reader)),
})

const priceFields = fieldsFor<PriceView & { readonly access_days: number | null }>()(text.fields, {
  payment_type: choice(['free', 'one_time', 'subscription', 'payment_plan']),
  amount: { ...money(), read: (form, name, reader) => money().read(form, name, reader) ?? 0 },
  access_days: whole(),
  enrollment_cap: whole(),
  interval: ifRecurring(choice<NonNullable<PriceView['interval']>>(['week', 'month', 'year'])),
  interval_count: ifRecurring(whole()),
  number_of_payments: whole(),
  trial_days: whole(),
})

const blank = { payment_type: 'one_time', interval: 'month' } as const

// Prices are added by their form, and shown first or ended in their list.
const priceActs = {
  add: { operation: 'createCoursePrice', fields: priceFields, isOnce: true, offered: () => false },
  retire: { operation: 'archiveCoursePrice', params: { price_id: 'price' }, offered: () => false },
  primary: { operation: 'setPrimaryPrice', offered: () => false },
} as const satisfies Readonly<Record<string, Act<PriceView>>>

const doneWith = { add: 'price', retire: 'retired', primary: 'saved' }

/** The currency of the school. */
export const readCurrency = async ({ call }: StaffContext): Promise<string> =>
  (await call({ operation: 'getSchool', returns: School })).currency

const formatFacts = (price: PriceView, { t, language, viewer }: StaffContext): string => {
  const { payment_type: type, interval, access, seats_left: n } = price
  const until = access?.until ?? null
  return [
    t(text.fields.payment_type.choices[type]),
    ...(interval === null ? [] : [t(text.every[interval])]),
    ...(access?.days == null ? [] : [t(texts.words.daysOfAccess, { n: access.days })]),
    ...(until === null ? [] : [t(text.until, { day: showEnd(until, language, viewer) })]),
    ...(n === null ? [] : [t(text.seats, { n })]),
    ...(price.is_primary ? [t(texts.words.shownFirst)] : []),
  ].join(' · ')
}

const renderPrice = (price: PriceView, context: StaffContext, revision: number, isOnly: boolean): Html => {
  const { t, money, form, isStaff } = context
  const amount = price.amount === 0 ? t(texts.words.free) : money(price.amount, price.currency)
  const actForm = (act: string, phrase: Phrase): Html => {
    const label = t(phrase)
    return form(
      html`${hidden({ act, price: price.id, revision })}<button class="plain" type="submit" aria-label="${label}: ${amount}">${label}</button>`,
    )
  }
  // What cannot be undone takes two steps.
  const retire = t(texts.words.endThisPrice)
  const ending = html`<details><summary aria-label="${retire}: ${amount}">${retire}</summary>
<p class="quiet">${t(text.retireAbout)}</p>
${actForm('retire', texts.words.endThisPrice)}</details>`
  return html`<li><div class="act"><span><strong>${amount}</strong><br><span class="quiet">${formatFacts(price, context)}</span></span>${isStaff && !price.is_primary && !isOnly && html`<span class="tools">${actForm('primary', texts.words.showFirst)}</span>`}</div>
${isStaff && ending}</li>
`
}

const renderAddForm = (state: FormState, { t, form }: StaffContext): Html => {
  const inside = html`${hidden({ act: 'add' })}${hiddenFor(state)}
${priceFields.rows(state, [
  ['payment_type', 'amount'],
  ['access_days', 'enrollment_cap'],
])}
<details class="filters"${isRecurring(state.typed) && html` open`}><summary>${t(text.recurring)}</summary>
${priceFields.rows(state, [['interval', 'interval_count', 'number_of_payments', 'trial_days']])}</details>
<div class="buttons row"><button class="main" type="submit">${t(texts.words.addPrice)}</button></div>`
  return html`<h2>${t(texts.words.addPrice)}</h2>\n${form(inside)}`
}

const showPrices = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t, call, isStaff } = context
  const course = await getCourse(context)
  const query: Pairs = [
    ['status', 'active'],
    ['limit', '100'],
  ]
  const [{ data: prices }, currency] = await Promise.all([
    call({ operation: 'listCoursePrices', params: { course_id: course.id }, query, returns: PricePage }),
    readCurrency(context),
  ])
  const state = buildState({ ...context, currency }, refused, 'add', priceFields.pairs(blank, context))
  const rows = prices.map(price => renderPrice(price, context, course.revision, prices.length === 1))
  return renderCoursePart(context, course, {
    tab: 'prices',
    title: text.title,
    refusal: refused?.refusal,
    sets: [priceFields],
    body: html`${await saleNote(context, prices)}${prices.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list">\n${rows}</ul>`}
${isStaff ? html`<p class="quiet">${t(text.about)}</p>\n${renderAddForm(state, context)}` : html`<p class="quiet">${t(text.forStaff)}</p>`}`,
  })
}

// What is empty is left out.
type PriceBody = Readonly<Record<string, unknown>>

const priceBody = ({ access_days: days, ...fields }: PriceBody) => ({
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  ...(days === null ? {} : { access: { days } }),
})

const perform = async (context: StaffContext, { id }: CourseView, typed: Pairs): Promise<string> => {
  const reader = { ...context, currency: await readCurrency(context) }
  const { name, call } = actIn(priceActs, typed, { params: { course_id: id }, reader })
  const body = name === 'add' ? priceBody(call.body as PriceBody) : { price_id: formField(typed, 'price') }
  await context.call(name === 'retire' ? call : { ...call, body })
  return doneWith[name as keyof typeof doneWith]
}

/** GET and POST /staff/courses/:course/prices. */
export const coursePrices = [
  page('GET /staff/courses/:course/prices', courseTeachers, context => showPrices(context)),
  fileForm('POST /staff/courses/:course/prices', courseTeachers, async (context, { form: typed }) => {
    const course = await getCourse(context)
    return shownAgain(
      async () => `${buildPath(course)}/prices?done=${await perform(context, course, typed)}`,
      refusal => showPrices(context, { act: formField(typed, 'act'), typed, refusal }),
    )
  }),
]
