import type { Offering } from '#src/areas/school/index.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { formatEnd, formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cannotSell } from '#src/web/offering.ts'
import type { CourseView, PriceView } from '../reads.ts'
import { siteText } from '../text.ts'

const { price: text, course: courseText } = siteText

/** What the words about a price depend on. */
export type PriceTerms = Offering & { readonly timeZone: string; readonly language: Language }

/** What a price costs, such as `€49` or `€18 per month`. */
export const priceText = (
  price: Pick<PriceView, 'payment_type' | 'amount' | 'currency' | 'interval' | 'interval_count'>,
  language: Language,
): string => {
  const { payment_type: type, amount, currency, interval, interval_count: every } = price
  if (type === 'free') return fill(text.free, language)
  const money = formatMoney(amount, currency, language, { isShort: true })
  if (type === 'one_time' || interval === null) return money
  return fill(text[interval], language, { n: every ?? 1, price: money })
}

const accessText = ({ access, payment_type: type }: PriceView, timeZone: string, language: Language): string => {
  if (type === 'subscription') return fill(text.whilePaid, language)
  if (access?.months !== undefined) return fill(text.months, language, { n: access.months })
  if (access?.until != null) return fill(text.until, language, { day: formatEnd(access.until, timeZone, language) })
  if (access?.days != null) return fill(text.days, language, { n: access.days })
  return fill(text.unlimited, language)
}

const taxText = ({ payment_type: type }: PriceView, { taxMode, language }: PriceTerms): string[] =>
  type === 'free' || taxMode === 'none' ? [] : [fill(text.tax[taxMode], language)]

const listTerms = (price: PriceView, terms: PriceTerms): string[] => {
  const { timeZone, language } = terms
  const { number_of_payments: payments, trial_days: trial, seats_left: seats, currency } = price
  const total = payments === null ? '' : formatMoney(price.amount * payments, currency, language, { isShort: true })
  return [
    ...(payments === null
      ? []
      : [`${fill(text.payments, language, { n: payments })}, ${fill(text.total, language, { price: total })}`]),
    ...(price.payment_type === 'one_time' ? [fill(text.oneTime, language)] : []),
    ...taxText(price, terms),
    ...(trial === null ? [] : [fill(text.trial, language, { n: trial })]),
    accessText(price, timeZone, language),
    ...(seats === null || price.sold_out ? [] : [fill(text.seats, language, { n: seats })]),
  ]
}

// The type that the offer sells in another way: free courses are enrolled in.
type Elsewhere = PriceView['payment_type'] | undefined

// It can be bought, if the school can be paid.
const isBuyable = ({ sold_out: isSoldOut }: PriceView): boolean => !isSoldOut

// Something is due for it, now or later.
const isPaid = ({ payment_type: type }: PriceView): boolean => type !== 'free'

// What the link to buy at a price of each type says.
const ways: Readonly<Record<PriceView['payment_type'], Phrase>> = {
  free: text.get,
  one_time: text.buy,
  payment_plan: text.buy,
  subscription: text.subscribe,
}

const buyLink = (
  price: PriceView,
  { language, canSell }: PriceTerms,
  isFirst: boolean,
  elsewhere: Elsewhere,
): Html | false => {
  const { payment_type: type, sold_out: isSoldOut } = price
  if (isSoldOut || type === elsewhere || (isPaid(price) && !canSell)) return false
  const way = fill(ways[type], language)
  return html`<p class="actions"><a class="button${isFirst && ' main'}" href="/checkout?price=${price.id}" aria-label="${way}: ${priceText(price, language)}">${way}</a></p>\n`
}

/** Whether something can be bought, other than what the offer sells in another way. */
export const canBuy = ({ prices = [] }: Pick<CourseView, 'prices'>, elsewhere?: Elsewhere): boolean =>
  prices.some(price => isBuyable(price) && price.payment_type !== elsewhere)

const priceItem = (
  price: PriceView,
  terms: PriceTerms,
  { isFirst, elsewhere }: { readonly isFirst: boolean; readonly elsewhere: Elsewhere },
): Html => html`<li class="price">
<p class="amount">${priceText(price, terms.language)}${price.sold_out && html` <span class="badge">${fill(courseText.soldOut, terms.language)}</span>`}</p>
<ul class="terms">
${listTerms(price, terms).map(term => html`<li>${term}</li>\n`)}</ul>
${buyLink(price, terms, isFirst, elsewhere)}</li>
`

/**
 * The prices of a course or product in the order of the API, with the primary one first and a link to
 * buy at each; `none` says that there are none, and prices of the type `elsewhere` have no link.
 */
export const priceList = (
  course: Pick<CourseView, 'prices'>,
  terms: PriceTerms,
  { none = courseText.noPrices, elsewhere }: { readonly none?: Phrase; readonly elsewhere?: Elsewhere } = {},
): Html => {
  const prices = [...(course.prices ?? [])].sort((one, other) => Number(other.is_primary) - Number(one.is_primary))
  if (prices.length === 0) return html`<p class="quiet">${fill(none, terms.language)}</p>`
  const first = prices.find(price => isBuyable(price) && price.payment_type !== elsewhere)
  const isUnsold = !terms.canSell && prices.some(price => isPaid(price) && isBuyable(price))
  return html`<ul class="prices">
${prices.map(price => priceItem(price, terms, { isFirst: price === first, elsewhere }))}</ul>${isUnsold && html`\n${cannotSell(terms.language, terms.missing)}`}`
}

/** The primary price of a course or product as a card shows it. */
export const cardPrice = (course: Pick<CourseView, 'sold_out' | 'primary_price'>, language: Language): Html | false => {
  if (course.sold_out) return html`<span class="badge">${fill(courseText.soldOut, language)}</span>`
  const { primary_price: price } = course
  return price !== null && html`<span class="amount">${priceText(price, language)}</span>`
}
