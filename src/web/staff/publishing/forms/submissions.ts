import { FormSubmissionPage, submissionStatuses } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { listRow, page, select } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { csvLinks, exportList } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { buildNotice, readForm, readParams } from './edit.ts'

const { common: text } = texts.staff.schoolForms

type Shown = Awaited<ReturnType<typeof read>>['data'][number]

const readStatus = ({ query }: StaffContext): string => {
  const status = query.get('status') ?? ''
  return submissionStatuses.some(one => one === status) ? status : ''
}

const buildQuery = (context: StaffContext): (readonly [string, string])[] => {
  const status = readStatus(context)
  return status === '' ? [] : [['status', status]]
}

const read = (context: StaffContext) => {
  const cursor = context.query.get('cursor')
  const query = [...buildQuery(context), ...(cursor === null ? [] : [['cursor', cursor] as const])]
  const call = { operation: 'listFormSubmissions', params: readParams(context), query, returns: FormSubmissionPage }
  return context.call(call)
}

// The first answer that is a text says which submission it is.
const formatName = ({ answers }: Shown): string => {
  const first = answers.map(({ value }) => value).find(value => typeof value === 'string' && value !== '')
  return typeof first === 'string' ? Array.from(first).slice(0, 80).join('') : '—'
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, request, time } = context
  const [form, found] = await Promise.all([readForm(context), read(context)])
  const status = readStatus(context)
  const choices = submissionStatuses.map(value => ({ value, label: t(text.statuses[value]) }))
  const next = found.next_cursor
  const rows = found.data.map(one =>
    listRow(`${request.path}/${one.id}`, formatName(one), [
      time(one.submitted_at),
      t(text.statuses[one.status]),
      t(text.version, { number: one.form_version }),
    ]),
  )
  return context.frame({
    title: `${form.title}: ${t(texts.words.answers)}`,
    ...buildNotice(context, undefined),
    body: html`<form method="get" action="${request.path}" class="filter">
<div>${select('status', t(texts.words.status), status, [{ value: '', label: t(text.any) }, ...choices])}</div>
<button type="submit">${t(texts.words.show)}</button>
</form>
${rows.length === 0 ? html`<p>${t(text.noAnswers)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${next !== undefined && html`<p><a rel="next" href="${addressWith(request.path, { status, cursor: next })}">${t(texts.words.nextPage)}</a></p>`}
${csvLinks(addressWith(`/staff/forms/${form.id}/csv`, { status }), { ...context, label: text.csv })}
<p class="quiet"><a href="/staff/forms/${form.id}">${t(text.backToForm)}</a></p>`,
  })
}

/** GET /staff/forms/:id/submissions, and the same list as CSV. */
export const submissionList: StaffSection = {
  // The page of a form leads to its answers.
  pages: [
    page('GET /staff/forms/:id/submissions', staff, show),
    page('GET /staff/forms/:id/csv', staff, context =>
      exportList(context, {
        operation: 'listFormSubmissions',
        params: readParams(context),
        query: buildQuery(context),
      }),
    ),
  ],
}
