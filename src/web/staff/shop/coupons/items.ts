import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { checkbox, field, hidden, inputs, type PageContext } from '#src/web/page/index.ts'
import { findItems, findItemType, itemNames } from '../../items.ts'
import type { CouponShown } from './shown.ts'

const { common, edit: text } = texts.staff.coupons

const itemTypes = ['course', 'digital_product', 'membership_plan', 'ticket'] as const

/** The items to which a coupon is limited: the address of its form says them, so that they can be chosen without scripts. */
export const chosenItems = ({ query }: PageContext, coupon: CouponShown | undefined): string[] => {
  if (query.has('chosen')) return query.getAll('item').filter(id => findItemType(id) !== undefined)
  return coupon?.items.map(({ id }) => id) ?? []
}

/** The address of the form with these items. */
export const withItems = (path: string, ids: readonly string[]): string =>
  `${path}?${new URLSearchParams([['chosen', '1'], ...ids.map((id): [string, string] => ['item', id])])}`

/** What a coupon applies to, as the operations take it. */
export const targetIn = (typed: Pairs, ids: readonly string[]) => {
  if (ids.length > 0) return { applies_to: 'items', items: ids.map(id => ({ type: findItemType(id), id })) }
  const types = itemTypes.filter(type => formField(typed, `type_${type}`) === 'yes')
  return types.length === 0 ? { applies_to: 'all' } : { applies_to: 'types', item_types: types }
}

/** The kinds of items to which a coupon is limited, as its form has them. */
export const typePairs = ({ item_types }: CouponShown): Pairs => item_types.map(type => [`type_${type}`, 'yes'])

/** The boxes for kinds of items. */
export const typeBoxes = ({ t }: PageContext, typed: Pairs): Html => html`<fieldset><legend>${t(text.types)}</legend>
<p class="quiet">${t(text.typesAbout)}</p>
${itemTypes.map(type => checkbox(`type_${type}`, t(common.types[type]), { isChecked: formField(typed, `type_${type}`) === 'yes' }))}</fieldset>`

/** The search for items, and those that are chosen. */
export const itemsPart = async (context: PageContext, path: string, ids: readonly string[]): Promise<Html> => {
  const { t, parts, person, query } = context
  const words = (query.get('find') ?? '').trim()
  const [names, found] = await Promise.all([
    itemNames(parts.performAs, person, ids),
    words === '' ? undefined : findItems(parts.performAs, person, words),
  ])
  const chosen = ids.map((id, index) => {
    const name = names[index] ?? id
    const without = withItems(
      path,
      ids.filter(one => one !== id),
    )
    return html`<li><bdi>${name}</bdi> <a href="${without}" aria-label="${t(texts.words.removeFromList)}: ${name}">${t(texts.words.removeFromList)}</a></li>\n`
  })
  const results = (found ?? [])
    .filter(({ id }) => !ids.includes(id))
    .map(
      ({ id, name, type }) =>
        html`<li><a href="${withItems(path, [...ids, id])}"><bdi>${name}</bdi></a><span class="quiet">${t(common.types[type])}</span></li>\n`,
    )
  return html`<details class="card"${(ids.length > 0 || found !== undefined) && html` open`}>
<summary>${t(text.items)}</summary>
<p class="quiet">${t(text.itemsAbout)}</p>
${ids.length > 0 && html`<ul class="list">\n${chosen}</ul>`}
<form method="get" action="${path}">
${hidden({ chosen: '1' })}${ids.flatMap(item => hidden({ item }))}${field({ name: 'find', label: t(text.findItem), value: words, attributes: inputs.search })}
<div class="buttons"><button type="submit">${t(texts.words.find)}</button></div>
</form>
${found !== undefined && (results.length === 0 ? html`<p>${t(text.nothing)}</p>` : html`<ul class="list menu">\n${results}</ul>`)}
</details>`
}
