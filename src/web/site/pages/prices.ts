import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { counted, dayIn, moneyOf } from '../formats.ts'
import type { CourseView, PriceView, TaxMode } from '../reads.ts'
import { siteText } from '../text.ts'

const { price: text, course: courseText } = siteText

/** What the words about a price depend on. */
export type PriceTerms = { readonly taxMode: TaxMode; readonly timeZone: string; readonly language: Language }

// What a price costs, such as `€49` or `€18 per month`.
const priceText = (price: PriceView, language: Language): string => {
  const { payment_type: type, amount, currency, interval, interval_count: every } = price
  if (type === 'free') return fill(text.free, language)
  const money = moneyOf(amount, currency, language)
  if (type === 'one_time' || interval === null) return money
  return counted(text[interval], every ?? 1, language, { price: money })
}

const accessText = ({ access }: PriceView, timeZone: string, language: Language): string => {
  if (access?.until != null) return fill(text.until, language, { day: dayIn(access.until, timeZone, language) })
  if (access?.days != null) return counted(text.days, access.days, language)
  return fill(text.unlimited, language)
}

const taxText = ({ payment_type: type }: PriceView, { taxMode, language }: PriceTerms): string[] =>
  type === 'free' || taxMode === 'none' ? [] : [fill(text.tax[taxMode], language)]

const termsOf = (price: PriceView, terms: PriceTerms): string[] => {
  const { timeZone, language } = terms
  const { number_of_payments: payments, trial_days: trial, seats_left: seats, currency } = price
  const total = payments === null ? '' : moneyOf(price.amount * payments, currency, language)
  return [
    ...(payments === null
      ? []
      : [`${fill(text.payments, language, { n: payments })}, ${fill(text.total, language, { price: total })}`]),
    ...(price.payment_type === 'one_time' ? [fill(text.oneTime, language)] : []),
    ...taxText(price, terms),
    ...(trial === null ? [] : [counted(text.trial, trial, language)]),
    accessText(price, timeZone, language),
    ...(seats === null || price.sold_out ? [] : [counted(text.seats, seats, language)]),
  ]
}

const priceItem = (price: PriceView, terms: PriceTerms): Html => html`<li class="price">
<p class="amount">${priceText(price, terms.language)}${price.sold_out && html` <span class="badge">${fill(courseText.soldOut, terms.language)}</span>`}</p>
<ul class="terms">
${termsOf(price, terms).map(term => html`<li>${term}</li>\n`)}</ul>
</li>
`

/** The prices of a course in the order of the API, with the primary one first. */
export const priceList = (course: CourseView, terms: PriceTerms): Html => {
  const prices = [...(course.prices ?? [])].sort((one, other) => Number(other.is_primary) - Number(one.is_primary))
  if (prices.length === 0) return html`<p class="quiet">${fill(courseText.noPrices, terms.language)}</p>`
  return html`<ul class="prices">
${prices.map(price => priceItem(price, terms))}</ul>`
}

/** The primary price of a course as a card shows it. */
export const cardPrice = (course: CourseView, language: Language): Html | false => {
  if (course.sold_out) return html`<span class="badge">${fill(courseText.soldOut, language)}</span>`
  const { primary_price: price } = course
  return price !== null && html`<span class="amount">${priceText(price, language)}</span>`
}
