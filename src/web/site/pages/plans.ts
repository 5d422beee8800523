import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool } from '../header.ts'
import { planText as text } from '../plan-text.ts'
import type { PlanView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { coursePicture } from './picture.ts'
import { cardPrice } from './prices.ts'

type PlansView = {
  readonly page: PageRequest
  readonly plans: readonly PlanView[]
  readonly next: string | undefined
  readonly isFirst: boolean
}

const MOST_THINGS = 5
const SIZES = '(min-width: 70rem) 23rem, (min-width: 42rem) 46vw, 92vw'

/** What somebody gets with a plan, as its card lists it. */
export const renderOpened = (
  things: readonly string[],
  place: Pick<PageRequest, 'school' | 'language'>,
): Html | false =>
  things.length > 0 &&
  html`<ul class="terms"${inSchool(place)}>
${things.slice(0, MOST_THINGS).map(thing => html`<li>${thing}</li>\n`)}</ul>`

const planCard = (plan: PlanView, page: PageRequest, level: 2 | 3): Html => {
  const name = html`<a class="cover" href="/plans/${plan.slug}"${inSchool(page)}>${plan.name}</a>`
  return html`<li class="card">
${plan.image !== null && coursePicture(plan, SIZES)}
<div class="card-text">
${level === 2 ? html`<h2 class="card-name">${name}</h2>` : html`<h3 class="card-name">${name}</h3>`}
${renderOpened(plan.benefits.length > 0 ? plan.benefits : plan.items.map(({ name: item }) => item), page)}
<p class="card-foot">${cardPrice({ ...plan, sold_out: false }, page.language)}${plan.item_count > 0 && html`<span class="fact">${fill(text.itemCount, page.language, { n: plan.item_count })}</span>`}</p>
</div>
</li>
`
}

/** A grid of plans; `level` is that of their headings. */
export const planGrid = (plans: readonly PlanView[], page: PageRequest, level: 2 | 3): Html => html`<ul class="grid">
${plans.map(plan => planCard(plan, page, level))}</ul>`

const renderPages = ({ page: { language }, next, isFirst }: PlansView): Html | false => {
  if (next === undefined && isFirst) return false
  return html`<p class="actions pages">${!isFirst && html`<a class="button" href="/plans">${fill(text.first, language)}</a> `}${
    next !== undefined &&
    html`<a class="button" href="/plans?${String(new URLSearchParams({ cursor: next }))}">${fill(text.next, language)}</a>`
  }</p>`
}

/** The content of the list of plans. */
export const plansMain = (view: PlansView): Html => {
  const { page, plans } = view
  const { language, school } = page
  return html`<div class="band">
<div class="wrap">
<h1>${fill(text.title, language)}</h1>
<p class="lead">${fill(text.intro, language, { school: school.name })}</p>
</div>
</div>
<div class="wrap section">
${plans.length === 0 ? html`<p class="nothing">${fill(text.none, language)}</p>` : planGrid(plans, page, 2)}
${renderPages(view)}
</div>`
}
