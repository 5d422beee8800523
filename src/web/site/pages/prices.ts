import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { counted, dayIn, moneyOf } from '../formats.ts'
import type { CourseView, PriceView } from '../reads.ts'
import { siteText } from '../text.ts'

const { price: text, course: courseText } = siteText

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

const termsOf = (price: PriceView, timeZone: string, language: Language): string[] => {
  const { number_of_payments: payments, trial_days: trial, seats_left: seats, currency } = price
  const total = payments === null ? '' : moneyOf(price.amount * payments, currency, language)
  return [
    ...(payments === null
      ? []
      : [`${fill(text.payments, language, { n: payments })}, ${fill(text.total, language, { price: total })}`]),
    ...(price.payment_type === 'one_time' ? [fill(text.oneTime, language)] : []),
    ...(trial === null ? [] : [counted(text.trial, trial, language)]),
    accessText(price, timeZone, language),
    ...(seats === null || price.sold_out ? [] : [counted(text.seats, seats, language)]),
  ]
}

const priceItem = (price: PriceView, timeZone: string, language: Language): Html => html`<li class="price">
<p class="amount">${priceText(price, language)}${price.sold_out && html` <span class="badge">${fill(courseText.soldOut, language)}</span>`}</p>
<ul class="terms">
${termsOf(price, timeZone, language).map(term => html`<li>${term}</li>\n`)}</ul>
</li>
`

/** The prices of a course in the order of the API, with the primary one first. */
export const priceList = (course: CourseView, timeZone: string, language: Language): Html => {
  const prices = [...(course.prices ?? [])].sort((one, other) => Number(other.is_primary) - Number(one.is_primary))
  if (prices.length === 0) return html`<p class="quiet">${fill(courseText.noPrices, language)}</p>`
  return html`<ul class="prices">
${prices.map(price => priceItem(price, timeZone, language))}</ul>`
}

/** The primary price of a course as a card shows it. */
export const cardPrice = (course: CourseView, language: Language): Html | false => {
  if (course.sold_out) return html`<span class="badge">${fill(courseText.soldOut, language)}</span>`
  const { primary_price: price } = course
  return price !== null && html`<span class="amount">${priceText(price, language)}</span>`
}
