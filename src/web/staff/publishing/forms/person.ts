import { FormSubmissionPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { framed, page, timeOf } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { field } from '../../pages/fields.ts'
import type { StaffSection } from '../../section.ts'
import { schoolFormsText as text } from './text.ts'

const PATH = '/staff/forms/person'
const LEAST = 3
const MOST = 254

const read = async (context: StaffContext, email: string) => {
  if (email.length < LEAST || email.length > MOST) return undefined
  const cursor = context.query.get('cursor')
  const query = [['email', email] as const, ...(cursor === null ? [] : [['cursor', cursor] as const])]
  return context.call({ operation: 'listPersonSubmissions', query, returns: FormSubmissionPage })
}

const foundOf = (
  { t, language, viewer }: StaffContext,
  email: string,
  page: Awaited<ReturnType<typeof read>>,
): Html | false => {
  if (page === undefined) return false
  if (page.data.length === 0) return html`<p>${t(text.noAnswers)}</p>`
  const items = page.data.map(
    ({ id, form_id: form, submitted_at: at, status }) =>
      html`<li><a href="/staff/forms/${form}/submissions/${id}">${timeOf(new Date(at), language, viewer)}</a><span class="quiet">${t(text.statuses[status])}</span></li>\n`,
  )
  const next = page.next_cursor
  return html`<ul class="list menu">
${items}</ul>
${next !== undefined && html`<p><a rel="next" href="${PATH}?${String(new URLSearchParams({ email, cursor: next }))}">${t(text.next)}</a></p>`}`
}

const pageOf = async (context: StaffContext): Promise<Reply> => {
  const { t, request, language, query } = context
  const email = (query.get('email') ?? '').trim()
  return framed({
    school: request.school,
    language,
    title: t(text.person),
    body: html`<p>${t(text.personAbout)}</p>
<form method="get" action="${PATH}" class="filter">
<div>${field({ name: 'email', label: t(text.personEmail), value: email, attributes: html`type="email" maxlength="254" required` })}</div>
<button type="submit">${t(text.find)}</button>
</form>
${foundOf(context, email, await read(context, email))}
<p class="quiet"><a href="/staff/forms">${t(text.back)}</a></p>`,
  })
}

/** GET /staff/forms/person: everything that was submitted with an address, for a person who asks for their data. */
export const personAnswers: StaffSection = {
  // The list of forms leads to it.
  entries: [],
  pages: [page('GET /staff/forms/person', staff, pageOf)],
}
