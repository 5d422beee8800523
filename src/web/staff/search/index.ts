import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../audience.ts'
import type { StaffSection } from '../section.ts'
import { findEverything, type Hits } from './find.ts'

const { common: text } = texts.staff.search

/** The field that searches the school. */
const renderSearch = (
  { t }: StaffContext,
  q: string,
): Html => html`<form method="get" action="/staff/search" role="search">
<label for="q">${t(texts.words.searchSchool)}</label>
<div class="field-row"><input id="q" name="q" type="search" maxlength="200" value="${q}" aria-describedby="q-hint"><button type="submit">${t(texts.words.search)}</button></div>
<p class="quiet hint" id="q-hint">${t(text.hint)}</p>
</form>`

const renderHits = ({ kind, hits, more }: Hits, { t }: StaffContext): Html => html`<h2>${t(text.groups[kind])}</h2>
<ul class="list menu">
${hits.map(({ href, name, about }) => html`<li><a href="${href}"><bdi>${name}</bdi></a><bdi class="quiet">${about}</bdi></li>\n`)}</ul>
${more !== null && html`<p><a href="${more}">${t(text.all)}</a></p>`}`

/** GET /staff/search. */
export const search: StaffSection = {
  pages: [
    page('GET /staff/search', staff, async context => {
      const { t } = context
      const q = (context.query.get('q') ?? '').trim()
      const found = q === '' ? [] : await findEverything(context, q)
      return context.frame({
        title: t(texts.words.search),
        body: html`${renderSearch(context, q)}
${q !== '' && found.length === 0 && html`<p>${t(text.none, { q })}</p>`}
${found.map(group => renderHits(group, context))}`,
      })
    }),
  ],
}
