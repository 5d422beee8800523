import type { Static } from 'typebox'
import { FormSubmissionPage, submissionStatuses } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, momentColumn, page, renderName } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { buildNotice, readForm, readParams } from './edit.ts'

const { common: text } = texts.staff.schoolForms
const { heads } = texts.staff.lists

type Shown = Encoded<Static<typeof FormSubmissionPage>>['data'][number]

const buildList = (context: StaffContext) =>
  createList({
    path: context.request.path,
    operation: 'listFormSubmissions',
    returns: FormSubmissionPage,
    params: readParams(context),
    sort: '-created_at',
    filters: { status: Object.fromEntries(submissionStatuses.map(one => [one, text.statuses[one]])) },
    texts: {
      filters: { status: texts.words.status },
      all: texts.words.answers,
      none: text.noAnswers,
      empty: text.noAnswers,
    },
  })

// The first answer that is a text says which submission it is.
const formatName = ({ answers }: Shown): string => {
  const first = answers.map(({ value }) => value).find(value => typeof value === 'string' && value !== '')
  return typeof first === 'string' ? Array.from(first).slice(0, 80).join('') : '—'
}

/** The columns of a list of answers, which lead to the pages of each. */
export const submissionColumns = (context: StaffContext, buildHref: (one: Shown) => string): Column<Shown>[] => {
  const { t } = context
  return [
    { name: texts.words.answers, kind: 'main', cell: one => renderName(buildHref(one), formatName(one)) },
    { name: texts.words.status, kind: 'lead', cell: ({ status }) => statusPill(t(text.statuses[status]), status) },
    momentColumn(context, { name: heads.sent, at: ({ submitted_at }) => submitted_at }),
    { name: heads.version, kind: 'num c-low', cell: ({ form_version: n }) => String(n) },
  ]
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, request } = context
  const list = buildList(context)
  const [form, shown] = await Promise.all([readForm(context), list.read(context)])
  return context.frame({
    title: `${form.title}: ${t(texts.words.answers)}`,
    parents: [{ path: `/staff/forms/${form.id}`, name: form.title }],
    ...buildNotice(context, undefined),
    ...showList(context, list, shown, {
      columns: submissionColumns(context, one => `${request.path}/${one.id}`),
      rows: shown.page.data,
    }),
  })
}

/** GET /staff/forms/:id/submissions. */
export const submissionList: StaffSection = {
  // The page of a form leads to its answers.
  pages: [page('GET /staff/forms/:id/submissions', staff, show)],
}
