import { FormSubmissionPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { field, listRow, page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'

const { common: text } = texts.staff.schoolForms

const PATH = '/staff/forms/person'
const LEAST = 3
const MOST = 254

const found = async ({ t, call, time, query }: StaffContext, email: string): Promise<Html | false> => {
  if (email.length < LEAST || email.length > MOST) return false
  const cursor = query.get('cursor')
  const { data, next_cursor: next } = await call({
    operation: 'listPersonSubmissions',
    query: [['email', email], ...(cursor === null ? [] : [['cursor', cursor] as const])],
    returns: FormSubmissionPage,
  })
  if (data.length === 0) return html`<p>${t(text.noAnswers)}</p>`
  const rows = data.map(({ id, form_id: form, submitted_at: at, status }) =>
    listRow(`/staff/forms/${form}/submissions/${id}`, time(at), [t(text.statuses[status])]),
  )
  return html`<ul class="list menu">
${rows}</ul>
${next !== undefined && html`<p><a rel="next" href="${addressWith(PATH, { email, cursor: next })}">${t(texts.words.nextPage)}</a></p>`}`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, query } = context
  const email = (query.get('email') ?? '').trim()
  return context.frame({
    title: t(text.person),
    body: html`<p>${t(text.personAbout)}</p>
<form method="get" action="${PATH}" class="filter">
<div>${field({ name: 'email', label: t(texts.words.email), value: email, attributes: html`type="email" maxlength="254" required` })}</div>
<button type="submit">${t(texts.words.show)}</button>
</form>
${await found(context, email)}
<p class="quiet"><a href="/staff/forms">${t(text.back)}</a></p>`,
  })
}

/** GET /staff/forms/person: everything that was submitted with an address, for a person who asks for their data. */
export const personAnswers: StaffSection = {
  // The list of forms leads to it.
  pages: [page(`GET ${PATH}`, staff, show)],
}
