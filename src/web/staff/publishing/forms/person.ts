import { FormSubmissionPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { createList, field, page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { renderList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { submissionColumns } from './submissions.ts'

const { common: text } = texts.staff.schoolForms

const PATH = '/staff/forms/person'
const LEAST = 3
const MOST = 254

const list = createList({
  path: PATH,
  operation: 'listPersonSubmissions',
  returns: FormSubmissionPage,
  filters: { email: undefined },
  texts: {
    filters: { email: texts.words.email },
    all: texts.words.answers,
    none: text.noAnswers,
    empty: text.noAnswers,
  },
})

const renderFound = async (context: StaffContext, email: string): Promise<Html | false> => {
  if (email.length < LEAST || email.length > MOST) return false
  const shown = await list.read(context)
  return renderList(context, list, shown, {
    columns: submissionColumns(context, one => `/staff/forms/${one.form_id}/submissions/${one.id}`),
    rows: shown.page.data,
  })
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, query } = context
  const email = (query.get('email') ?? '').trim()
  return context.frame({
    title: t(text.person),
    lead: t(text.personAbout),
    isWide: true,
    hasCards: true,
    body: html`<section class="card"><form method="get" action="${PATH}" class="filter">
<div>${field({ name: 'email', label: t(texts.words.email), value: email, attributes: html`type="email" maxlength="254" required` })}</div>
<button type="submit">${t(texts.words.show)}</button>
</form></section>
${await renderFound(context, email)}`,
  })
}

/** GET /staff/forms/person: everything that was submitted with an address, for a person who asks for their data. */
export const personAnswers: StaffSection = {
  // The list of forms leads to it.
  pages: [page(`GET ${PATH}`, staff, show)],
}
