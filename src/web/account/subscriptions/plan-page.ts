import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed } from '#src/web/page/index.ts'
import { termsText } from '../pages/recurring.ts'
import type { PlanChoice } from './choices.ts'
import { pathOf } from './parts.ts'
import { type ProrationShown, prorationTable } from './proration-table.ts'
import type { OwnSubscription } from './shown.ts'
import { dayText } from './status.ts'
import { subscriptionText } from './text.ts'
import { refusedAs, type Visit } from './visit.ts'

const { change: text } = subscriptionText

type Viewed = { readonly visit: Visit; readonly subscription: OwnSubscription }

const backLink = ({ visit: { language }, subscription }: Viewed): Html =>
  html`<p class="quiet"><a href="${pathOf(subscription)}">${fill(subscriptionText.backToOne, language)}</a></p>`

const choiceItem = ({ id, name, price }: PlanChoice, { visit: { language }, subscription }: Viewed): Html => {
  const href = `${pathOf(subscription)}/plan?price=${id}`
  const terms = termsText(price, language)
  return html`<li>
<span><bdi>${name}</bdi></span> <span class="amount">${terms}</span>
<a class="next" href="${href}" aria-label="${fill(text.chooseOne, language, { name: `${name}, ${terms}` })}">${fill(text.choose, language)}</a>
</li>
`
}

/** The plans to which somebody may change. */
export const choicesPage = (
  view: Viewed & { readonly choices: readonly PlanChoice[]; readonly refusal: Refusal | undefined },
): Reply => {
  const { visit, subscription, choices, refusal } = view
  const { language, request } = visit
  const { item, price } = subscription
  const terms = price === null ? '' : termsText(price, language)
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    ...refusedAs(refusal, language),
    body: html`<p>${fill(text.about, language, { name: item.name, terms })}</p>
${
  choices.length === 0
    ? html`<p>${fill(text.none, language)}</p>`
    : html`<ul class="list orders">
${choices.map(choice => choiceItem(choice, view))}</ul>`
}
${backLink(view)}`,
  })
}

type Preview = Viewed & {
  readonly choice: PlanChoice
  readonly proration: ProrationShown
  readonly when: 'now' | 'period_end'
}

const nowPart = ({ visit: { language, viewer }, proration }: Preview): Html => html`<h2>${fill(text.now, language)}</h2>
${prorationTable(proration, { language, person: viewer })}
${proration.to_pay > 0 && html`<p class="quiet">${fill(text.whenPaid, language)}</p>`}`

const labelOf = ({ when, proration, visit, subscription }: Preview): string => {
  const { language, viewer } = visit
  const { current_period: period } = subscription
  if (when === 'period_end' && period !== null)
    return fill(text.buttonLater, language, { day: dayText(period.until, { language, person: viewer }) })
  if (proration.to_pay === 0) return fill(text.button, language)
  return fill(text.buttonPay, language, { amount: formatMoney(proration.to_pay, proration.currency, language) })
}

const changeForm = (view: Preview): Html => {
  const { visit, subscription, choice, proration, when } = view
  const inside = html`<input type="hidden" name="price" value="${choice.id}">
<input type="hidden" name="when" value="${when}">
<input type="hidden" name="quote" value="${proration.quote ?? ''}">
<div class="buttons"><button class="main" type="submit">${labelOf(view)}</button></div>`
  return formOf(`${pathOf(subscription)}/plan`, visit.token, inside)
}

const laterPart = ({ visit: { language, viewer }, subscription }: Preview): Html | false =>
  subscription.current_period !== null &&
  html`<p>${fill(text.atPeriodEnd, language, { day: dayText(subscription.current_period.until, { language, person: viewer }) })}</p>`

const otherTiming = ({ visit: { language }, subscription, choice, when }: Preview): Html => {
  const other = when === 'now' ? 'period_end' : 'now'
  return html`<p><a href="${pathOf(subscription)}/plan?price=${choice.id}&when=${other}">${fill(when === 'now' ? text.later : text.sooner, language)}</a></p>`
}

/** What a change costs, line by line, before the button that does it. */
export const previewPage = (view: Preview): Reply => {
  const { visit, choice, when } = view
  const { language, request } = visit
  return framed({
    school: request.school,
    language,
    title: fill(text.previewTitle, language, { name: choice.name }),
    body: html`<p>${fill(text.newTerms, language, { terms: termsText(choice.price, language) })}</p>
${when === 'now' ? nowPart(view) : laterPart(view)}
${changeForm(view)}
${otherTiming(view)}
${backLink(view)}`,
  })
}
