import { ActivityPage } from '#src/areas/people/index.ts'
import { FormSubmissionPage } from '#src/areas/publishing/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { renderPart } from '../../pages/list-page.ts'
import { submissionColumns } from '../../publishing/forms/submissions.ts'
import { addressWith } from '../../teaching/lists.ts'
import { framePerson } from './frame.ts'
import { type Person, personPath, readPerson } from './read.ts'
import { timeline } from './timeline.ts'

const text = texts.staff.personPage

/** Reads what a member did and what happened to them, newest first. */
export const readActivity = ({ call }: StaffContext, id: string, limit: number, cursor = '') =>
  call({
    operation: 'listMemberActivity',
    params: { member_id: id },
    query: [['limit', String(limit)], ...(cursor === '' ? [] : [['cursor', cursor] as const])],
    returns: ActivityPage,
  })

// What was sent with forms under the address of the person.
const answersCard = async ({ email }: Person, context: StaffContext): Promise<Html | false> => {
  if (email === '') return false
  const query: Pairs = [
    ['email', email],
    ['limit', '10'],
  ]
  const { data } = await context.call({ operation: 'listPersonSubmissions', query, returns: FormSubmissionPage })
  const all = addressWith('/staff/forms/person', { email })
  return (
    data.length > 0 &&
    renderPart(context, {
      id: 'answers',
      title: context.t(text.answers),
      link: html`<a href="${all}">${context.t(texts.words.all)}</a>`,
      columns: submissionColumns(context, one => `/staff/forms/${one.form_id}/submissions/${one.id}`),
      rows: data,
    })
  )
}

/** GET /staff/people/:id/activity: what a member sent, did and had happen to them. */
export const activityPart = page('GET /staff/people/:id/activity', staff, async context => {
  const { t, query } = context
  const person = await readPerson(context)
  const { data, next_cursor: next } = await readActivity(context, person.id, 50, query.get('cursor') ?? '')
  const more = addressWith(`${personPath(person.id)}/activity`, { cursor: next ?? '' })
  return framePerson(context, person, 'activity', {
    body: html`${await answersCard(person, context)}<section class="card"><h2>${t(text.tabs.activity)}</h2>
${timeline(data, context)}
${next !== undefined && html`<p><a class="button small" rel="next" href="${more}">${t(texts.words.nextPage)}</a></p>`}
</section>`,
  })
})
