import { fill, type Language } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { Found } from '../items.ts'

const text = texts.staff.pricesList

type PriceShown = Found['prices'][number]

// What can be bought at once.
const isSold = ({ payment_type: type }: PriceShown): boolean => type === 'free' || type === 'one_time'

const priceText = ({ amount, currency, access }: PriceShown, language: Language): string => {
  const shown = amount === 0 ? fill(texts.words.free, language) : formatMoney(amount, currency, language)
  const n = access?.days ?? null
  return n === null ? shown : fill(text.days, language, { amount: shown, n })
}

/** Items on sale with their prices; each price leads to an address. */
export const pricesList = (
  items: readonly Found[],
  language: Language,
  buildHref: (priceId: string) => string,
): Html => {
  const prices = items.flatMap(({ name, prices: all }) => all.filter(isSold).map(price => ({ name, price })))
  if (prices.length === 0) return html`<p>${fill(text.none, language)}</p>`
  return html`<ul class="list menu">
${prices.map(({ name, price }) => html`<li><a href="${buildHref(price.id)}"><bdi>${name}</bdi></a><span class="quiet">${priceText(price, language)}</span></li>\n`)}</ul>`
}
