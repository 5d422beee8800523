import type { Phrase } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatDate } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from './context.ts'

/** How a list is filtered: by words, by a day, or by one of these values; an empty one says what is shown without. */
export type FilterKind = 'search' | 'day' | Readonly<Record<string, Phrase>>

/** A filter of a list as it is given now. */
type Given = {
  readonly value: string
  /** The other filters and the order, which stay. */
  readonly others: Pairs
  readonly path: string
  buildAddress(given: Pairs): string
}

const keepOthers = (others: Pairs): Html =>
  html`${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

const chooseDay = (name: string, label: string, given: Given, t: PageContext['t']): Html =>
  html`<form method="get" action="${given.path}">${keepOthers(given.others)}
<label for="filter-${name}">${label}</label>
<input type="date" id="filter-${name}" name="${name}" min="1900-01-01" max="2200-12-31" value="${given.value}">
<button type="submit" class="main">${t(texts.words.find)}</button></form>`

/** The control of one filter: words are typed, another filter is added by a menu of links and removed by a link. */
export const renderFilter = (
  { t, language }: PageContext,
  { name, label, kind }: { readonly name: string; readonly label: Phrase; readonly kind: FilterKind },
  given: Given,
): Html => {
  const { value, others, path, buildAddress } = given
  const said = t(label)
  if (kind === 'search')
    return html`<form method="get" action="${path}" class="search" role="search">${keepOthers(others)}
<input type="search" name="${name}" maxlength="200" value="${value}" aria-label="${said}" placeholder="${said}">
<button type="submit" class="small">${t(texts.words.find)}</button></form>
`
  const named: Readonly<Record<string, Phrase>> = kind === 'day' ? {} : kind
  if (value !== '' && (kind === 'day' || named[value] !== undefined)) {
    const shown = named[value] === undefined ? formatDate(value, language) : t(named[value])
    return html`<a class="chip on" href="${buildAddress(others)}" aria-label="${t(texts.page.list.remove, { name: `${said}: ${shown}` })}">${said}: ${shown} <span aria-hidden="true">×</span></a>
`
  }
  const choices = Object.entries(named).filter(([one]) => one !== '')
  return html`<details class="menu" name="filters"><summary class="chip dashed">+ ${said}</summary>
<div>${kind === 'day' ? chooseDay(name, said, given, t) : html`<ul>\n${choices.map(([one, phrase]) => html`<li><a href="${buildAddress([...others, [name, one]])}">${t(phrase)}</a></li>\n`)}</ul>`}</div></details>
`
}
