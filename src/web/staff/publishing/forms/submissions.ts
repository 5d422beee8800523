import { FormSubmissionPage, submissionStatuses } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, framed, select, timeOf } from '#src/web/page/index.ts'
import { csvLinks, exportList, schoolOf } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { perform, staffPage, type Visit } from '../../visit.ts'
import { formOfPage, paramsOf } from './edit.ts'
import { schoolFormsText as text } from './text.ts'

type Shown = Awaited<ReturnType<typeof read>>['data'][number]

const statusOf = ({ query }: Visit): string => {
  const status = query.get('status') ?? ''
  return submissionStatuses.some(one => one === status) ? status : ''
}

const queryOf = (visit: Visit): (readonly [string, string])[] => {
  const status = statusOf(visit)
  return status === '' ? [] : [['status', status]]
}

const read = (visit: Visit) => {
  const cursor = visit.query.get('cursor')
  const query = [...queryOf(visit), ...(cursor === null ? [] : [['cursor', cursor] as const])]
  const call = { operation: 'listFormSubmissions', params: paramsOf(visit), query, returns: FormSubmissionPage }
  return perform(visit, call)
}

// The first answer that is a text says which submission it is.
const nameOf = ({ answers }: Shown): string => {
  const first = answers.map(({ value }) => value).find(value => typeof value === 'string' && value !== '')
  return typeof first === 'string' ? Array.from(first).slice(0, 80).join('') : '—'
}

const item = ({ request, language, viewer }: Visit, one: Shown): Html =>
  html`<li><a href="${request.path}/${one.id}"><bdi>${nameOf(one)}</bdi></a><span class="quiet">${timeOf(new Date(one.submitted_at), language, viewer)} · ${fill(text.statuses[one.status], language)} · ${fill(text.version, language, { number: one.form_version })}</span></li>\n`

const filterOf = (visit: Visit): Html => {
  const { language, request } = visit
  const any = { value: '', label: fill(text.any, language) }
  const choices = submissionStatuses.map(value => ({ value, label: fill(text.statuses[value], language) }))
  return html`<form method="get" action="${request.path}" class="filter">
<div>${select('status', fill(text.status, language), statusOf(visit), [any, ...choices])}</div>
<button type="submit">${fill(text.find, language)}</button>
</form>`
}

const pageOf = async (visit: Visit): Promise<Reply> => {
  const { request, language } = visit
  const [form, page] = await Promise.all([formOfPage(visit), read(visit)])
  const given = queryOf(visit).map(([name, value]): [string, string] => [name, value])
  const filter = String(new URLSearchParams(given))
  const next = page.next_cursor
  const nextQuery = String(new URLSearchParams([...given, ['cursor', next ?? '']]))
  return framed({
    school: request.school,
    language,
    title: `${form.title}: ${fill(text.answers, language)}`,
    notice: doneIn(text.done, doneOf(request), language),
    body: html`${filterOf(visit)}
${page.data.length === 0 ? html`<p>${fill(text.noAnswers, language)}</p>` : html`<ul class="list menu">\n${page.data.map(one => item(visit, one))}</ul>`}
${next !== undefined && html`<p><a rel="next" href="${request.path}?${nextQuery}">${fill(text.next, language)}</a></p>`}
${csvLinks(`/staff/forms/${form.id}/csv?${filter}`, { ...schoolOf(visit), label: text.csv })}
<p class="quiet"><a href="/staff/forms/${form.id}">${fill(text.backToForm, language)}</a></p>`,
  })
}

const exportCsv = (visit: Visit): Promise<Reply> =>
  exportList(visit, {
    operation: 'listFormSubmissions',
    params: paramsOf(visit),
    query: queryOf(visit),
  })

/** GET /staff/forms/:id/submissions, and the same list as CSV. */
export const submissionList: StaffSection = {
  // The page of a form leads to its answers.
  entries: [],
  endpoints: parts => [
    staffPage('GET /staff/forms/:id/submissions', parts, pageOf),
    staffPage('GET /staff/forms/:id/csv', parts, exportCsv),
  ],
}
