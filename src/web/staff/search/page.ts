import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { framed } from '#src/web/page/index.ts'
import type { Hits } from './find.ts'
import { searchText as text } from './text.ts'

/** The field that searches the school. */
export const searchForm = (
  language: Language,
  q: string,
): Html => html`<form method="get" action="/staff/search" role="search">
<label for="q">${fill(text.label, language)}</label>
<div class="field-row"><input id="q" name="q" type="search" maxlength="200" value="${q}" aria-describedby="q-hint"><button type="submit">${fill(text.button, language)}</button></div>
<p class="quiet hint" id="q-hint">${fill(text.hint, language)}</p>
</form>`

const groupOf = (
  { kind, hits, more }: Hits,
  language: Language,
): Html => html`<h2>${fill(text.groups[kind], language)}</h2>
<ul class="list menu">
${hits.map(({ href, name, about }) => html`<li><a href="${href}"><bdi>${name}</bdi></a><bdi class="quiet">${about}</bdi></li>\n`)}</ul>
${more !== null && html`<p><a href="${more}">${fill(text.all, language)}</a></p>`}`

/** What was found in the school. */
export const searchPage = (view: {
  readonly school: School
  readonly language: Language
  readonly q: string
  readonly found: readonly Hits[]
}): Reply => {
  const { language, q, found } = view
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    body: html`${searchForm(language, q)}
${q !== '' && found.length === 0 && html`<p>${fill(text.none, language, { q })}</p>`}
${found.map(group => groupOf(group, language))}`,
  })
}
