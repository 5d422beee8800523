import { fill } from '#src/contract/language.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { inSchool, signUpPath } from '../header.ts'
import { planText as text } from '../plan-text.ts'
import type { PlanView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { itemPage } from './item-page.ts'
import { markdown } from './markdown.ts'
import { type OwnPlan, planOffer } from './own.ts'
import { coursePicture } from './picture.ts'
import { buyBar, canBuy, type PriceTerms, priceOffer } from './prices.ts'

type PlanPageView = {
  readonly page: PageRequest
  readonly terms: PriceTerms
  readonly plan: PlanView
  /** What holds for who is signed in. */
  readonly own: OwnPlan
}

const renderHead = ({ page, plan }: PlanPageView): Html => html`<div class="course-head">
<p class="crumbs"><a href="/plans">${fill(text.title, page.language)}</a></p>
<h1${inSchool(page)}>${plan.name}</h1>
</div>`

const offerOptions = ({ page }: PlanPageView) => ({
  school: page.school,
  button: texts.site.offer.join,
  none: text.noPrices,
})

const renderPrices = (view: PlanPageView): Html => {
  const { page, terms, plan } = view
  const { language, school, person } = page
  return html`${priceOffer(plan, terms, offerOptions(view))}
${
  !canBuy(plan) &&
  person === undefined &&
  school.signupMode === 'open' &&
  html`<p class="actions"><a class="button main" href="${signUpPath(`/plans/${plan.slug}`)}">${fill(siteText.signUp, language)}</a></p>
<p class="hint">${fill(siteText.course.accountHint, language)}</p>`
}`
}

const renderOffer = (view: PlanPageView): Html => {
  const { page, plan, own } = view
  const offer = planOffer(own, page)
  return html`<aside class="offer" aria-labelledby="prices">
${plan.image !== null && coursePicture(plan, '(min-width: 60rem) 22rem, 92vw', 'beside')}
<div class="offer-text">
<h2 class="offer-title${offer === undefined && ' unseen'}" id="prices">${fill(offer?.title ?? siteText.course.prices, page.language)}</h2>
${offer?.body ?? renderPrices(view)}
</div>
</aside>`
}

const renderBenefits = ({ page, plan }: PlanPageView): Html | false =>
  plan.benefits.length > 0 &&
  html`<section aria-labelledby="benefits">
<h2 id="benefits">${fill(text.benefits, page.language)}</h2>
<ul class="terms benefits"${inSchool(page)}>
${plan.benefits.map(benefit => html`<li>${benefit}</li>\n`)}</ul>
</section>`

const renderAbout = ({ page, plan }: PlanPageView): Html | false =>
  plan.description !== '' &&
  html`<section aria-labelledby="about">
<h2 id="about">${fill(text.about, page.language)}</h2>
<div class="prose"${inSchool(page)}>${markdown(3, plan.description)}</div>
</section>`

const itemRow = ({ type, name, path }: PlanView['items'][number], page: PageRequest): Html => {
  const named =
    path === null ? html`<span${inSchool(page)}>${name}</span>` : html`<a href="${path}"${inSchool(page)}>${name}</a>`
  return html`<li><span class="row-line"><span class="lesson-name">${named}</span><small>${fill(text.types[type], page.language)}</small></span></li>\n`
}

const renderItems = ({ page, plan }: PlanPageView): Html | false => {
  const { items, item_count: count, opens_posts: opensPosts } = plan
  // Visitors see fewer items than there are where some are not public.
  const more = items.length === 100 ? count - items.length : 0
  return (
    (items.length > 0 || opensPosts) &&
    html`<section aria-labelledby="items">
<h2 id="items">${fill(text.items, page.language)}</h2>
<ul class="lessons">
${items.map(item => itemRow(item, page))}${opensPosts && html`<li><span class="row-line"><span class="lesson-name"><a href="/blog">${fill(text.posts, page.language)}</a></span></span></li>\n`}</ul>
${more > 0 && html`<p class="quiet">${fill(text.moreItems, page.language, { n: formatNumber(more, page.language) })}</p>`}
</section>`
  )
}

/** The content of the page of a plan. */
export const planMain = (view: PlanPageView): Html =>
  itemPage({
    head: renderHead(view),
    offer: renderOffer(view),
    body: [renderBenefits(view), renderItems(view), renderAbout(view)],
    bar: planOffer(view.own, view.page) === undefined && buyBar(view.plan, view.terms, offerOptions(view)),
  })
