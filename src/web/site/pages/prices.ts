import type { Offering } from '#src/areas/school/index.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { formatEnd, formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { cannotSell } from '#src/web/offering.ts'
import { hasOwnCss } from '../frame.ts'
import type { CourseView, PriceView } from '../reads.ts'
import { siteText } from '../text.ts'
import { stickyBar } from './item-page.ts'

const { price: text, course: courseText } = siteText
const { offer: offerText } = texts.site

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

// The same where it is the only one, with the amount.
const onlyWays: Readonly<Record<PriceView['payment_type'], Phrase>> = {
  free: text.get,
  one_time: offerText.buyFor,
  payment_plan: offerText.buyFor,
  subscription: offerText.subscribeFor,
}

/** The address at which something is bought at a price. */
const checkoutPath = ({ id }: PriceView): string => `/checkout?price=${id}`

const isSold = (price: PriceView, { canSell }: Pick<PriceTerms, 'canSell'>, elsewhere: Elsewhere): boolean =>
  isBuyable(price) && price.payment_type !== elsewhere && (canSell || !isPaid(price))

// How a price is bought; where there are several, a link says to a screen reader which one it is.
type Way = { readonly isFirst: boolean; readonly isOnly: boolean; readonly elsewhere: Elsewhere }

const buyLink = (price: PriceView, terms: PriceTerms, { isFirst, isOnly, elsewhere }: Way): Html | false => {
  if (!isSold(price, terms, elsewhere)) return false
  const { language } = terms
  const { payment_type: type } = price
  const money = priceText(price, language)
  const link = isOnly
    ? html`>${fill(onlyWays[type], language, { price: money })}`
    : html` aria-label="${fill(ways[type], language)}: ${money}">${fill(ways[type], language)}`
  return html`<p class="actions"><a class="button${isFirst && ' main'}" href="${checkoutPath(price)}"${link}</a></p>\n`
}

/** Whether something can be bought, other than what the offer sells in another way. */
export const canBuy = ({ prices = [] }: Pick<CourseView, 'prices'>, elsewhere?: Elsewhere): boolean =>
  prices.some(price => isBuyable(price) && price.payment_type !== elsewhere)

const priceItem = (price: PriceView, terms: PriceTerms, way: Way): Html => html`<li class="price">
<p class="amount">${priceText(price, terms.language)}${price.sold_out && html` <span class="badge">${fill(courseText.soldOut, terms.language)}</span>`}</p>
<ul class="terms">
${listTerms(price, terms).map(term => html`<li>${term}</li>\n`)}</ul>
${buyLink(price, terms, way)}</li>
`

type Priced = Pick<CourseView, 'prices'>

// In the order of the API, with the primary one first.
const inOrder = ({ prices = [] }: Priced): PriceView[] =>
  [...prices].sort((one, other) => Number(other.is_primary) - Number(one.is_primary))

/** How the prices of something are offered. */
type OfferOptions = {
  readonly school: School
  /** What the button says where several prices are offered. */
  readonly button: Phrase
  /** What says that there are no prices. */
  readonly none?: Phrase
  readonly elsewhere?: Elsewhere
}

const priceList = (prices: readonly PriceView[], terms: PriceTerms, elsewhere: Elsewhere): Html | false => {
  const sold = prices.filter(price => isSold(price, terms, elsewhere))
  return (
    prices.length > 0 &&
    html`<ul class="prices">
${prices.map(price => priceItem(price, terms, { isFirst: price === sold[0], isOnly: sold.length === 1, elsewhere }))}</ul>`
  )
}

// Such as `€49 once` or `3 × €18`.
const choiceName = (price: PriceView, language: Language): string => {
  const { payment_type: type, amount, currency, number_of_payments: payments } = price
  const money = formatMoney(amount, currency, language, { isShort: true })
  if (type === 'one_time') return fill(offerText.once, language, { price: money })
  if (payments === null) return priceText(price, language)
  return fill(offerText.split, language, { n: payments, price: money })
}

const choiceAbout = (price: PriceView, terms: PriceTerms): string => {
  const { language } = terms
  const { interval, interval_count: every, number_of_payments: payments, amount, currency } = price
  const { trial_days: trial, seats_left: seats } = price
  const total = payments === null ? '' : formatMoney(amount * payments, currency, language, { isShort: true })
  return [
    ...(payments === null || interval === null ? [] : [fill(offerText[interval], language, { n: every ?? 1 })]),
    ...(payments === null ? [] : [fill(text.total, language, { price: total })]),
    ...(trial === null ? [] : [fill(text.trial, language, { n: trial })]),
    ...(payments === null ? [accessText(price, terms.timeZone, language)] : []),
    ...(seats === null ? [] : [fill(text.seats, language, { n: seats })]),
  ].join(' · ')
}

const renderChoice = (price: PriceView, terms: PriceTerms, isFirst: boolean): Html =>
  html`<label class="choice"><input type="radio" name="price" value="${price.id}"${isFirst && html` checked`}><span>${choiceName(price, terms.language)}<small>${choiceAbout(price, terms)}</small></span></label>\n`

const renderChoices = (sold: readonly PriceView[], terms: PriceTerms, button: Phrase): Html => {
  const { language } = terms
  const [first] = sold
  return html`${first && html`<p class="amount">${priceText(first, language)}</p>`}
<form class="choices" action="/checkout" method="get">
<fieldset><legend class="unseen">${fill(offerText.ways, language)}</legend>
${sold.map(price => renderChoice(price, terms, price === first))}</fieldset>
<button class="main" type="submit">${fill(button, language)}</button>
</form>
${first && taxText(first, terms).map(line => html`<p class="hint">${line}</p>`)}`
}

/**
 * What something costs, and how it is bought: one price has a link, several are chosen in a form, or have a link each where
 * the page has the CSS of the school and so no form (decision 125). Prices of the type `elsewhere` have neither.
 */
export const priceOffer = (
  item: Priced,
  terms: PriceTerms,
  { school, button, none = courseText.noPrices, elsewhere }: OfferOptions,
): Html => {
  const prices = inOrder(item)
  if (prices.length === 0) return html`<p class="quiet">${fill(none, terms.language)}</p>`
  const sold = prices.filter(price => isSold(price, terms, elsewhere))
  const isUnsold = !terms.canSell && prices.some(price => isPaid(price) && isBuyable(price))
  const isChosen = sold.length > 1 && !hasOwnCss(school)
  const others = isChosen ? prices.filter(price => !sold.includes(price)) : prices
  return html`${isChosen && renderChoices(sold, terms, button)}${priceList(others, terms, elsewhere)}${isUnsold && html`\n${cannotSell(terms.language, terms.missing)}`}`
}

/** The bar of a phone that leads to buying something at its first price; none where it cannot be bought. */
export const buyBar = (item: Priced, terms: PriceTerms, { button, elsewhere }: OfferOptions): Html | false => {
  const { language } = terms
  const [first, second] = inOrder(item).filter(price => isSold(price, terms, elsewhere))
  if (first === undefined) return false
  return stickyBar({
    path: checkoutPath(first),
    name: fill(button, language),
    main: priceText(first, language),
    about: second && fill(offerText.orPrice, language, { price: choiceName(second, language) }),
  })
}

/** The primary price of a course or product as a card shows it. */
export const cardPrice = (course: Pick<CourseView, 'sold_out' | 'primary_price'>, language: Language): Html | false => {
  if (course.sold_out) return html`<span class="badge">${fill(courseText.soldOut, language)}</span>`
  const { primary_price: price } = course
  return price !== null && html`<span class="amount">${priceText(price, language)}</span>`
}
