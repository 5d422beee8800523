import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { field, inputs } from '../../pages/fields.ts'
import { teachingText } from '../../teaching/text.ts'
import { planText as text } from './plan-text.ts'
import type { Openable, PlanView } from './plan-view.ts'
import { planPath } from './shown.ts'
import { plansText } from './text.ts'

const item = ({ type, id, name }: Openable, { plan, context: { language } }: PlanView): Html => {
  const label = fill(text.takeOut, language)
  return html`<li class="act"><span><bdi>${name}</bdi><br><span class="quiet">${fill(plansText.itemTypes[type], language)}</span></span><a class="button small" href="${planPath(plan.id)}/items/${type}/${id}" aria-label="${label}: ${name}">${label}</a></li>
`
}

const foundItem = ({ type, id, name }: Openable, { plan, context: { language } }: PlanView): Html => {
  const label = fill(text.open, language)
  return html`<li class="act"><span><bdi>${name}</bdi><br><span class="quiet">${fill(plansText.itemTypes[type], language)}</span></span><a class="button small" href="${planPath(plan.id)}/items/${type}/${id}/addition" aria-label="${label}: ${name}">${label}</a></li>
`
}

const foundItems = (view: PlanView): Html | false => {
  const { found, context } = view
  if (found === undefined) return false
  if (found.length === 0) return html`<p>${context.t(text.nothing)}</p>`
  return html`<ul class="list">
${found.map(one => foundItem(one, view))}</ul>`
}

/** What a plan opens, and a search for more. */
export const itemsPart = (view: PlanView): Html => {
  const { plan, context, q } = view
  const { t } = context
  const { items, item_count: count } = plan
  return html`<h2>${t(text.items)}</h2>
${items.length === 0 ? html`<p>${t(text.nothingYet)}</p>` : html`<ul class="list">\n${items.map(one => item(one, view))}</ul>`}
${count > items.length && html`<p class="quiet">${t(text.moreItems, { n: count - items.length })}</p>`}
<form method="get" action="${planPath(plan.id)}" class="search">
${field({ name: 'item', label: t(text.find), value: q, attributes: inputs.search })}
<button type="submit">${t(teachingText.find)}</button>
</form>
${foundItems(view)}`
}
