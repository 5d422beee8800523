import type { Offering } from '#src/areas/school/index.ts'
import { fill } from '#src/contract/language.ts'
import { formatRating } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cannotSell } from '#src/web/offering.ts'
import { shortened } from '../frame.ts'
import { inSchool } from '../header.ts'
import type { ContentView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { drawRating } from './cards.ts'
import { renderLeaf, showPeriod } from './events.ts'
import { courseFoot } from './own.ts'
import { coursePicture, portrait } from './picture.ts'
import { renderOpened } from './plans.ts'
import { priceText } from './prices.ts'

type Card = NonNullable<ContentView['cards']>[number]['cards'][number]

/** Where cards are shown; `sizes` says how much there is to learn in courses by their ids. */
export type Place = Pick<PageRequest, 'school' | 'language' | 'enrolled'> & {
  readonly sizes?: ReadonlyMap<string, string>
}

const { course: text, price: priceWords } = siteText

const SIZES = '(min-width: 70rem) 23rem, (min-width: 42rem) 46vw, 92vw'

const heading = (level: 2 | 3, name: Html, className: string): Html =>
  level === 2 ? html`<h2 class="${className}">${name}</h2>` : html`<h3 class="${className}">${name}</h3>`

const renderName = ({ path, name }: Card, place: Place): Html =>
  html`<a class="cover" href="${path}"${inSchool(place)}>${name}</a>`

const renderPrice = ({ price, sold_out: isSoldOut }: Card, { language }: Place): Html | false => {
  if (isSoldOut) return html`<span class="badge">${fill(text.soldOut, language)}</span>`
  return price !== null && html`<span class="amount">${priceText(price, language)}</span>`
}

const itemCard = (card: Card, place: Place, level: 2 | 3): Html => html`<li class="card">
${coursePicture(card, SIZES)}
<div class="card-text">
${heading(level, renderName(card, place), 'card-name')}
${card.about !== '' && html`<p class="subtitle"${inSchool(place)}>${card.about}</p>`}
${
  card.rating !== null &&
  html`<p class="facts"><span class="rating">${drawRating(card.rating.average, place.language)} <strong>${formatRating(card.rating.average, place.language)}</strong></span></p>`
}
${courseFoot(card.id, place, renderPrice(card, place), place.sizes?.get(card.id))}
</div>
</li>
`

/** What has a page and nothing else, such as a form; `level` is that of the headings. */
export const linkCards = (cards: readonly Card[], place: Place, level: 2 | 3): Html => html`<ul class="grid">
${cards.map(
  card => html`<li class="card">
<div class="card-text">
${heading(level, renderName(card, place), 'card-name')}
${card.about !== '' && html`<p class="subtitle"${inSchool(place)}>${card.about}</p>`}
</div>
</li>
`,
)}</ul>`

/** Courses or products as a grid; `level` is that of their headings. */
export const itemCards = (cards: readonly Card[], place: Place, level: 2 | 3): Html => html`<ul class="grid">
${cards.map(card => itemCard(card, place, level))}</ul>`

/** Events with the day of their next date; `level` is that of their headings. */
export const eventCards = (cards: readonly Card[], place: Place, level: 2 | 3): Html => html`<ul class="event-rows">
${cards.map(
  card => html`<li class="event">
${card.date !== null && renderLeaf(card.date, place)}
<div class="event-text">
${heading(level, renderName(card, place), 'card-name')}
${card.date !== null && html`<p class="facts"><time class="fact" datetime="${card.date.starts_at.utc}">${showPeriod(card.date, place)}</time></p>`}
</div>
<p class="event-side">${renderPrice(card, place)}</p>
</li>
`,
)}</ul>`

/** Plans with what they open; `level` is that of their headings. */
export const planCards = (cards: readonly Card[], place: Place, level: 2 | 3): Html => html`<ul class="grid">
${cards.map(
  card => html`<li class="card">
${card.image !== null && coursePicture(card, SIZES)}
<div class="card-text">
${heading(level, renderName(card, place), 'card-name')}
${renderOpened(
  card.about.split(' · ').filter(thing => thing !== ''),
  place,
)}
<p class="card-foot">${renderPrice(card, place)}</p>
</div>
</li>
`,
)}</ul>`

/** Lecturers with their portraits. */
export const personCards = (cards: readonly Card[], place: Place, level: 2 | 3): Html => html`<ul class="people">
${cards.map(
  card => html`<li class="person">
${portrait({ id: card.id, display_name: card.name, avatar: card.image })}
<div>
${heading(level, renderName(card, place), 'person-name')}
<p class="person-about"${inSchool(place)}>${shortened(card.about, 140)}</p>
</div>
</li>
`,
)}</ul>`

/** Reviews with their stars. */
export const reviewCards = (cards: readonly Card[], place: Place): Html => html`<ul class="reviews">
${cards.map(
  ({ name, about, rating }) => html`<li class="review">
${rating !== null && html`<p>${drawRating(rating.average, place.language)}</p>`}
<blockquote${inSchool(place)}>
${about.split(/\n{2,}/).map(paragraph => html`<p>${paragraph}</p>\n`)}</blockquote>
<p class="author"><bdi>${name}</bdi></p>
</li>
`,
)}</ul>`

/** A price with a link to buy, if the school can be paid. */
export const offerCard = (card: Card, place: Place & Pick<Offering, 'canSell' | 'missing'>, label: string): Html => {
  const isFree = card.price?.payment_type === 'free'
  const words = label === '' ? fill(isFree ? priceWords.get : priceWords.buy, place.language) : label
  return html`<div class="panel join">
<div><p class="offer-name"${inSchool(place)}>${card.name}</p>
<p>${renderPrice(card, place)}</p></div>
${isFree || place.canSell ? html`<p class="actions"><a class="button main" href="${card.path}">${words}</a></p>` : cannotSell(place.language, place.missing)}
</div>`
}
