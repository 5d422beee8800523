import { randomUUID } from 'node:crypto'
import { Form, FormPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { folded, form, formKeyIn, hidden, listRow, page, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { buildNotice, countSubmissions } from './edit.ts'
import { formFields } from './form.rules.ts'

const { common: text } = texts.staff.schoolForms

const PATH = '/staff/forms'

const show = async (
  context: StaffContext,
  again?: { readonly typed: Pairs; readonly refusal: Refusal },
): Promise<Reply> => {
  const { t, language, query } = context
  const cursor = query.get('cursor')
  const found = await context.call({
    operation: 'listForms',
    query: cursor === null || again !== undefined ? [] : [['cursor', cursor]],
    returns: FormPage,
  })
  const rows = found.data.map(one =>
    listRow(`${PATH}/${one.id}`, one.title, [
      t(text.states[one.state]),
      t(text.answersCount, { count: countSubmissions(one) }),
    ]),
  )
  const typed: Pairs = again?.typed ?? [['retention_days', '365']]
  const creating = html`${hidden({ form_key: formField(typed, 'form_key') || randomUUID() })}
${formFields.rows({ language, typed, refusal: again?.refusal }, ['title', 'retention_days'])}<div class="buttons"><button type="submit">${t(text.create)}</button></div>`
  const next = found.next_cursor
  return context.frame({
    title: t(text.title),
    ...buildNotice(context, again?.refusal),
    body: html`<p>${t(text.intro)}</p>
${rows.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${next !== undefined && html`<p><a rel="next" href="${addressWith(PATH, { cursor: next })}">${t(texts.words.nextPage)}</a></p>`}
${rows.length > 0 && downloadLinks('listForms', context)}
${folded(t(text.create), context.form(creating), again !== undefined || rows.length === 0)}
<p><a href="${PATH}/person">${t(text.person)}</a></p>
${staffLink(language)}`,
  })
}

/** GET and POST /staff/forms: the forms of the school. */
export const formList: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    form(`POST ${PATH}`, staff, (context, typed) =>
      shownAgain(
        async () => {
          const body = formFields.body(typed, context, ['title', 'retention_days'])
          const { id } = await context.call({ operation: 'createForm', body, returns: Form, ...formKeyIn(typed) })
          return `${PATH}/${id}?done=created`
        },
        refusal => show(context, { typed, refusal }),
      ),
    ),
  ],
}
