import { FormSubmissionPage, submissionStatuses } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, framed, page, select, timeOf } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { csvLinks, exportList, schoolOf } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { formOfPage, paramsOf } from './edit.ts'
import { schoolFormsText as text } from './text.ts'

type Shown = Awaited<ReturnType<typeof read>>['data'][number]

const statusOf = ({ query }: StaffContext): string => {
  const status = query.get('status') ?? ''
  return submissionStatuses.some(one => one === status) ? status : ''
}

const queryOf = (context: StaffContext): (readonly [string, string])[] => {
  const status = statusOf(context)
  return status === '' ? [] : [['status', status]]
}

const read = (context: StaffContext) => {
  const cursor = context.query.get('cursor')
  const query = [...queryOf(context), ...(cursor === null ? [] : [['cursor', cursor] as const])]
  const call = { operation: 'listFormSubmissions', params: paramsOf(context), query, returns: FormSubmissionPage }
  return context.call(call)
}

// The first answer that is a text says which submission it is.
const nameOf = ({ answers }: Shown): string => {
  const first = answers.map(({ value }) => value).find(value => typeof value === 'string' && value !== '')
  return typeof first === 'string' ? Array.from(first).slice(0, 80).join('') : '—'
}

const item = ({ t, request, language, viewer }: StaffContext, one: Shown): Html =>
  html`<li><a href="${request.path}/${one.id}"><bdi>${nameOf(one)}</bdi></a><span class="quiet">${timeOf(new Date(one.submitted_at), language, viewer)} · ${t(text.statuses[one.status])} · ${t(text.version, { number: one.form_version })}</span></li>\n`

const filterOf = (context: StaffContext): Html => {
  const { t, request } = context
  const any = { value: '', label: t(text.any) }
  const choices = submissionStatuses.map(value => ({ value, label: t(text.statuses[value]) }))
  return html`<form method="get" action="${request.path}" class="filter">
<div>${select('status', t(text.status), statusOf(context), [any, ...choices])}</div>
<button type="submit">${t(text.find)}</button>
</form>`
}

const pageOf = async (context: StaffContext): Promise<Reply> => {
  const { t, request, language } = context
  const [form, page] = await Promise.all([formOfPage(context), read(context)])
  const given = queryOf(context).map(([name, value]): [string, string] => [name, value])
  const filter = String(new URLSearchParams(given))
  const next = page.next_cursor
  const nextQuery = String(new URLSearchParams([...given, ['cursor', next ?? '']]))
  return framed({
    school: request.school,
    language,
    title: `${form.title}: ${t(text.answers)}`,
    notice: doneIn(text.done, doneOf(request), language),
    body: html`${filterOf(context)}
${page.data.length === 0 ? html`<p>${t(text.noAnswers)}</p>` : html`<ul class="list menu">\n${page.data.map(one => item(context, one))}</ul>`}
${next !== undefined && html`<p><a rel="next" href="${request.path}?${nextQuery}">${t(text.next)}</a></p>`}
${csvLinks(`/staff/forms/${form.id}/csv?${filter}`, { ...schoolOf(context), label: text.csv })}
<p class="quiet"><a href="/staff/forms/${form.id}">${t(text.backToForm)}</a></p>`,
  })
}

const exportCsv = (context: StaffContext): Promise<Reply> =>
  exportList(context, {
    operation: 'listFormSubmissions',
    params: paramsOf(context),
    query: queryOf(context),
  })

/** GET /staff/forms/:id/submissions, and the same list as CSV. */
export const submissionList: StaffSection = {
  // The page of a form leads to its answers.
  entries: [],
  pages: [page('GET /staff/forms/:id/submissions', staff, pageOf), page('GET /staff/forms/:id/csv', staff, exportCsv)],
}
