import type { Static } from 'typebox'
import type { Member } from '#src/areas/people/index.ts'
import type { Guide } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, framed } from '#src/web/page/index.ts'
import type { Draft } from '../files/appearance/form.ts'
import { missingNote } from '../files/appearance/page.ts'
import { staffText as text } from '../pages/text.ts'
import { peopleList } from '../people/members/list.ts'
import { searchForm } from '../search/page.ts'
import type { NavigationGroup, StaffEntry } from '../section.ts'
import type { Figures, Waits } from './figures.ts'
import { guideOf } from './guide.ts'

type HomeView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  /** What the page links to. */
  readonly entries: readonly StaffEntry[]
  /** The same in the groups of the navigation. */
  readonly groups: readonly NavigationGroup[]
  readonly figures: Figures
  readonly waits: Waits
  /** How many requests of apps wait for the person. */
  readonly waiting: number
  readonly steps: Static<typeof Guide>['steps']
  readonly invited: readonly Encoded<Static<typeof Member>>[]
  /** What the appearance lacks. */
  readonly warnings: Draft['warnings']
  readonly done: string
}

const { home } = text

// What has no page in this console is shown without a link.
const hasPage = ({ entries }: HomeView, path: string): boolean =>
  entries.some(entry => entry.path === path.split('?')[0])

const figuresOf = (view: HomeView): Html => html`<ul class="counts">
${view.figures.map(({ kind, count, path }) => {
  const inside = html`<strong>${formatNumber(count, view.language)}</strong> ${fill(home.figures[kind], view.language)}`
  return html`<li>${hasPage(view, path) ? html`<a href="${path}">${inside}</a>` : html`<span class="figure">${inside}</span>`}</li>\n`
})}</ul>`

const waitOf = ({ kind, count, path, isLeast = false }: Waits[number], view: HomeView): Html => {
  const name = fill(home.waiting[kind], view.language)
  const number = `${formatNumber(count, view.language)}${isLeast ? '+' : ''}`
  return html`<li class="act">${hasPage(view, path) ? html`<a href="${path}">${name}</a>` : html`<span>${name}</span>`}<strong>${number}</strong></li>
`
}

const waitsOf = (view: HomeView): Html => html`<h2>${fill(home.waits, view.language)}</h2>
${
  view.waits.length === 0
    ? html`<p class="quiet">${fill(home.nothingWaits, view.language)}</p>`
    : html`<ul class="list">\n${view.waits.map(item => waitOf(item, view))}</ul>`
}`

const invitedOf = ({ invited, language }: HomeView): Html => html`<h2>${fill(home.invited, language)}</h2>
${peopleList(invited, language)}
<p><a href="/staff/invitations">${fill(home.allInvited, language)}</a></p>`

const item = ({ path, name, about }: StaffEntry, { language, waiting }: HomeView): Html =>
  html`<li><a href="${path}">${fill(name, language, { count: waiting })}</a><span class="quiet">${fill(about, language)}</span></li>
`

// The first group has no name: its only page is the search, which this page has itself.
const groupOf = ({ name, entries }: NavigationGroup, view: HomeView): Html | undefined =>
  name &&
  html`<section>
<h3>${fill(name, view.language)}</h3>
<ul class="list menu">
${entries.map(entry => item(entry, view))}</ul>
</section>
`

/** The first page of the console: the guide, what waits, figures, a search, and links to the other pages. */
export const homePage = (view: HomeView): Reply => {
  const { school, language, groups, invited } = view
  return framed({
    language,
    school,
    title: fill(home.title, language, { school: school.name }),
    notice: doneIn({ skipped: home.guide.finished }, view.done, language),
    body: html`${missingNote(view.warnings, language)}${guideOf(view)}
${searchForm(language, '')}
${figuresOf(view)}
${waitsOf(view)}
${invited.length > 0 && invitedOf(view)}
<h2>${fill(home.pages, language)}</h2>
<div class="page-groups">
${groups.map(group => groupOf(group, view))}</div>`,
  })
}
