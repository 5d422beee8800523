import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { answerJson, page } from '#src/web/page/index.ts'
import { lecturers, type StaffContext } from '../audience.ts'
import type { StaffSection } from '../section.ts'
import { findEverything, type Hits, MAX_LETTERS } from './find.ts'

const { common: text } = texts.staff.search

const renderForm = (
  { t }: StaffContext,
  q: string,
): Html => html`<form method="get" action="/staff/search" role="search">
<label for="q">${t(texts.words.searchSchool)}</label>
<div class="field-row"><input id="q" name="q" type="search" maxlength="${MAX_LETTERS}" value="${q}" aria-describedby="q-hint"><button type="submit">${t(texts.words.search)}</button></div>
<p class="quiet hint" id="q-hint">${t(text.hint)}</p>
</form>`

const renderHits = ({ name, hits, more }: Hits, { t }: StaffContext): Html => html`<h2>${name}</h2>
<ul class="list menu">
${hits.map(({ href, name: one, about }) => html`<li><a href="${href}"><bdi>${one}</bdi></a><bdi class="quiet">${about}</bdi></li>\n`)}</ul>
${more !== null && html`<p><a href="${more}">${t(text.all)}</a></p>`}`

const readWords = ({ query }: StaffContext): string => (query.get('q') ?? '').trim()

/** GET /staff/search, and GET /staff/search.json for the command palette. */
export const search: StaffSection = {
  pages: [
    page('GET /staff/search', lecturers, async context => {
      const { t } = context
      const q = readWords(context)
      const found = await findEverything(context, q)
      return context.frame({
        title: t(texts.words.search),
        body: html`${renderForm(context, q)}
${q !== '' && found.length === 0 && html`<p>${t(text.none, { q })}</p>`}
${found.map(group => renderHits(group, context))}`,
      })
    }),
    page('GET /staff/search.json', lecturers, async context =>
      answerJson({ groups: await findEverything(context, readWords(context)) }),
    ),
  ],
}
