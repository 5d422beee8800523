import { randomUUID } from 'node:crypto'
import { Form, FormPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import { doneIn, doneOf, form, formKeyIn, formOf, framed, hidden, page, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { field, folded } from '../../pages/fields.ts'
import { staffLink } from '../../pages/link.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffSection } from '../../section.ts'
import { schoolFormRefusals, schoolFormsText as text } from './text.ts'

const PATH = '/staff/forms'

type Refused = { readonly refusal: Refusal; readonly form: Pairs }

const creating = ({ t, token }: StaffContext, refused: Refused | undefined, isOpen: boolean): Html => {
  const typed = (name: string): string => (refused === undefined ? '' : formField(refused.form, name))
  const inside = html`${hidden({ form_key: typed('form_key') || randomUUID() })}
${field({ name: 'title', label: t(text.name), value: typed('title'), attributes: html`type="text" maxlength="200" required` })}
${field({ name: 'retention_days', label: t(text.retention), value: typed('retention_days') || '365', attributes: html`type="text" inputmode="numeric" maxlength="4" required` })}
<div class="buttons"><button type="submit">${t(text.create)}</button></div>`
  return folded(t(text.create), formOf(PATH, token, inside), isOpen)
}

const pageOf = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t, language, request, query } = context
  const cursor = query.get('cursor')
  const page = await context.call({
    operation: 'listForms',
    query: cursor === null || refused !== undefined ? [] : [['cursor', cursor]],
    returns: FormPage,
  })
  const items = page.data.map(
    ({ id, title, state, submission_counts: counts }) =>
      html`<li><a href="${PATH}/${id}"><bdi>${title}</bdi></a><span class="quiet">${t(text.states[state])} · ${t(text.answersCount, { count: (counts?.received ?? 0) + (counts?.suspected ?? 0) + (counts?.spam ?? 0) })}</span></li>\n`,
  )
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    ...(refused === undefined
      ? { notice: doneIn(text.done, doneOf(request), language) }
      : refusedIn(refused.refusal, language, schoolFormRefusals)),
    body: html`<p>${t(text.intro)}</p>
${items.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list menu">\n${items}</ul>`}
${page.next_cursor !== undefined && html`<p><a rel="next" href="${PATH}?${String(new URLSearchParams({ cursor: page.next_cursor }))}">${t(text.next)}</a></p>`}
${items.length > 0 && downloadLinks('listForms', schoolOf(context))}
${creating(context, refused, refused !== undefined || items.length === 0)}
<p><a href="${PATH}/person">${t(text.person)}</a></p>
${staffLink(language)}`,
  })
}

const create = async (context: StaffContext, form: Pairs): Promise<string> => {
  const days = formField(form, 'retention_days').trim()
  const body = { title: formField(form, 'title').trim(), retention_days: readWhole(days) ?? days }
  const { id } = await context.call({ operation: 'createForm', body, returns: Form, ...formKeyIn(form) })
  return `${PATH}/${id}?done=created`
}

/** GET and POST /staff/forms: the forms of the school. */
export const formList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  pages: [
    page(`GET ${PATH}`, staff, context => pageOf(context)),
    form(`POST ${PATH}`, staff, (context, form) =>
      shownAgain(
        () => create(context, form),
        refusal => pageOf(context, { refusal, form }),
      ),
    ),
  ],
}
