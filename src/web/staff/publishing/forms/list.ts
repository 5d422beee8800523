import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Form, FormPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  createList,
  folded,
  form,
  formKeyIn,
  hidden,
  momentColumn,
  page,
  renderName,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { buildNotice, countSubmissions } from './edit.ts'
import { formFields } from './form.rules.ts'

const { common: text } = texts.staff.schoolForms
const { heads } = texts.staff.lists

const PATH = '/staff/forms'

const list = createList({
  path: PATH,
  operation: 'listForms',
  returns: FormPage,
  sort: '-created_at',
  filters: {},
  texts: { filters: {}, all: text.title, none: text.none, empty: text.none },
})

type FormShown = Encoded<Static<typeof FormPage>>['data'][number]

const buildColumns = (context: StaffContext): Column<FormShown>[] => {
  const { t, language } = context
  return [
    {
      name: texts.words.title,
      kind: 'main',
      sort: 'title',
      cell: ({ id, title }) => renderName(`${PATH}/${id}`, title),
    },
    { name: texts.words.status, kind: 'lead', cell: ({ state }) => statusPill(t(text.states[state]), state) },
    momentColumn(context, { name: heads.created, kind: 'date c-low', sort: '-created_at', at: one => one.created_at }),
    {
      name: texts.words.answers,
      kind: 'num',
      isNamed: true,
      cell: one => html`<a href="${PATH}/${one.id}/submissions">${formatNumber(countSubmissions(one), language)}</a>`,
    },
  ]
}

const show = async (
  context: StaffContext,
  again?: { readonly typed: Pairs; readonly refusal: Refusal },
): Promise<Reply> => {
  const { t, language } = context
  const shown = await list.read(context)
  const rows = shown.page.data
  const typed: Pairs = again?.typed ?? [['retention_days', '365']]
  const creating = html`${hidden({ form_key: formField(typed, 'form_key') || randomUUID() })}
${formFields.rows({ language, typed, refusal: again?.refusal }, ['title', 'retention_days'])}<div class="buttons"><button type="submit">${t(text.create)}</button></div>`
  const listed = showList(context, list, shown, {
    columns: buildColumns(context),
    rows,
    more: html`<a class="button" href="${PATH}/person">${t(text.person)}</a>`,
  })
  return context.frame({
    title: t(text.title),
    lead: t(text.intro),
    ...buildNotice(context, again?.refusal),
    ...listed,
    body: html`${listed.body}${folded(t(text.create), context.form(creating), again !== undefined || rows.length === 0)}`,
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
