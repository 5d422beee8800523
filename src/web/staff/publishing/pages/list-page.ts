import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { SitePageList } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, formOf, framed, hidden, timeOf } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { choose, type FormState, line } from '../../forms/fields.ts'
import { staffLink } from '../../pages/link.ts'
import { editPath } from './edit-view.ts'
import { editorErrors, editorRefusals, editorText as text } from './text.ts'

/** The address of the list of pages. */
export const PATH = '/staff/pages'

/** A page of the list. */
export type PageLine = Encoded<Static<typeof SitePageList>>['data'][number]

const moveButton = ({ t }: StaffContext, { title }: PageLine, how: 'up' | 'down'): Html =>
  html`<button class="plain" type="submit" name="act" value="${how}" aria-label="${t(text[how])}: ${title}">${t(text[how])}</button>\n`

const moveForm = (context: StaffContext, page: PageLine, index: number, count: number): Html =>
  formOf(
    PATH,
    context.token,
    html`${hidden({ page: page.id })}<div class="buttons row">${index > 0 && moveButton(context, page, 'up')}${index < count - 1 && moveButton(context, page, 'down')}</div>`,
  )

const itemOf = (context: StaffContext, page: PageLine, index: number, count: number): Html => {
  const { t, language, viewer } = context
  const facts = [
    ...(page.is_home ? [t(text.home)] : [page.path]),
    ...(page.publish_at == null ? [] : [timeOf(new Date(page.publish_at), language, viewer)]),
    ...(page.visibility === 'listed' ? [] : [t(text.visibilities[page.visibility])]),
    ...(page.has_changes === true ? [t(text.hasChanges)] : []),
  ]
  return html`<li id="${page.id}"><a href="${editPath(page.id)}"><bdi>${page.title}</bdi></a> <span class="badge ${page.status}">${t(text.statuses[page.status])}</span>
<span class="quiet">${facts.join(' · ')}</span>
${count > 1 && moveForm(context, page, index, count)}</li>
`
}

const createForm = (state: FormState, { t, token }: StaffContext): Html => {
  const key = formField(state.typed, 'form_key') || randomUUID()
  const kinds = Object.entries(text.kinds).map(([value, phrase]) => ({ value, label: t(phrase) }))
  const title = { name: 'title', label: t(text.fields.title) }
  return formOf(
    PATH,
    token,
    html`${hidden({ act: 'create', form_key: key })}${line(state, { ...title, attributes: html`type="text" maxlength="200" required` })}
${choose(state, { name: 'kind', label: t(text.kind) }, kinds)}
<div class="buttons"><button class="main" type="submit">${t(text.add)}</button></div>`,
  )
}

/** All pages in their order, and a form for a new one. */
export const listPage = (
  context: StaffContext,
  pages: readonly PageLine[],
  again?: { readonly form: Pairs; readonly refusal: Refusal },
): Reply => {
  const { t, request, language } = context
  const errors = errorsIn(again?.refusal, language, editorErrors)
  const done = doneIn(text.done, doneOf(request), language)
  const noticed = { errors, fields: ['title', 'kind'], refusals: editorRefusals }
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    isWide: true,
    ...(again === undefined ? { notice: done } : noticeFor(again.refusal, language, noticed)),
    body: html`<p class="quiet">${t(text.intro)}</p>
${
  pages.length === 0
    ? html`<p>${t(text.none)}</p>`
    : html`<ul class="list page-list">\n${pages.map((page, index) => itemOf(context, page, index, pages.length))}</ul>`
}
${pages.length > 0 && downloadLinks('listPages', schoolOf(context))}
<section class="card" aria-labelledby="new-page"><h2 id="new-page">${t(text.add)}</h2>
${createForm({ typed: again?.form ?? [], errors }, context)}</section>
${staffLink(language)}`,
  })
}
