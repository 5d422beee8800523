import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { formatDate, formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, hidden } from '#src/web/page/index.ts'
import { fileRefusals, picturePart } from '../../files/uploads/index.ts'
import { folded } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { facts } from '../../teaching/parts.ts'
import { itemsPart } from './items-part.ts'
import { planText as text } from './plan-text.ts'
import type { PlanView } from './plan-view.ts'
import { pricesPart } from './prices-part.ts'
import { type PlanShown, planPath } from './shown.ts'
import { planRefusals, plansText } from './text.ts'

const accessOf = ({ plan, context: { language } }: PlanView): string => {
  const { plan_type: type, ends_on: last, length } = plan
  if (last !== null) return fill(text.until, language, { day: formatDate(last, language) })
  if (length === null) return fill(plansText.types[type], language)
  return 'months' in length
    ? fill(text.months, language, { n: length.months })
    : fill(text.days, language, { n: length.days })
}

const factsOf = (view: PlanView): Html => {
  const { plan, currency, context } = view
  const { t, language } = context
  const { mrr = 0, holder_count: holders = 0 } = plan
  return facts([
    [t(text.status), t(plansText.statuses[plan.status])],
    [t(text.access), accessOf(view)],
    [t(text.posts), plan.opens_posts ? t(text.opensPosts) : undefined],
    [t(text.holders), String(holders)],
    [t(text.revenue), mrr === 0 ? undefined : formatMoney(mrr, currency, language)],
  ])
}

const links = ({ plan, context: { language } }: PlanView): Html => {
  const path = planPath(plan.id)
  return html`<p><a class="button" href="${path}/edit">${fill(text.edit, language)}</a></p>
<p><a href="${path}/holders">${fill(text.people, language)}</a>${plan.status === 'active' && html` · <a href="/plans/${plan.slug}">${fill(text.public, language)}</a>`}</p>`
}

// What a plan lacks before anybody can buy it.
const missing = ({ plan, context: { language } }: PlanView): Html | false => {
  const lacks = [
    ...(plan.item_count === 0 && !plan.opens_posts ? [fill(text.nothingYet, language)] : []),
    ...(plan.primary_price === null ? [fill(text.noPriceYet, language)] : []),
  ]
  return lacks.length > 0 && plan.status !== 'archived' && html`<p class="note">${lacks.join(' ')}</p>`
}

const actForm = (act: keyof typeof text.acts, { plan, context, refused }: PlanView): Html => {
  const { t, token } = context
  const { title, about, button } = text.acts[act]
  const inside = html`${hidden({ act, revision: plan.revision })}
<div class="buttons"><button type="submit">${t(button)}</button></div>`
  const body = html`<p class="quiet">${t(about)}</p>
${formOf(planPath(plan.id), token, inside)}`
  return folded(t(title), body, refused?.act === act)
}

// What a plan does not allow is not offered; the operation decides all the same.
const isOffered: Readonly<Record<keyof typeof text.acts, (plan: PlanShown) => boolean>> = {
  publish: ({ status }) => status === 'draft',
  unpublish: ({ status }) => status === 'active',
  archive: ({ status }) => status === 'active',
  restore: ({ status }) => status === 'archived',
  delete: ({ status, holder_count: holders = 0 }) => status === 'draft' && holders === 0,
}

const acts = ['publish', 'unpublish', 'archive', 'restore', 'delete'] as const

/** One plan: what it opens, its prices and its state. */
export const planPage = (view: PlanView): Reply => {
  const { context, plan, refused, done } = view
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, { ...planRefusals, ...fileRefusals })
  return framed({
    school: request.school,
    language,
    title: plan.name,
    ...notice,
    body: html`${missing(view)}
${factsOf(view)}
${links(view)}
${itemsPart(view)}
${pricesPart(view)}
${picturePart(context, { revision: plan.revision, picture: plan.image }, text)}
<h2>${t(text.decide)}</h2>
${acts.filter(act => isOffered[act](plan)).map(act => actForm(act, view))}
<p class="quiet"><a href="/staff/plans">${t(plansText.back)}</a></p>`,
  })
}
