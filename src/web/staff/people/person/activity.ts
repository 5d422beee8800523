import { ActivityPage } from '#src/areas/people/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { addressWith } from '../../teaching/lists.ts'
import { framePerson } from './frame.ts'
import { personPath, readPerson } from './read.ts'
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

/** GET /staff/people/:id/activity. */
export const activityPart = page('GET /staff/people/:id/activity', staff, async context => {
  const { t, query } = context
  const person = await readPerson(context)
  const { data, next_cursor: next } = await readActivity(context, person.id, 50, query.get('cursor') ?? '')
  const more = addressWith(`${personPath(person.id)}/activity`, { cursor: next ?? '' })
  return framePerson(context, person, 'activity', {
    body: html`<section class="card"><h2>${t(text.tabs.activity)}</h2>
${data.length === 0 ? html`<p>${t(texts.words.nothing)}</p>` : timeline(data, context)}
${next !== undefined && html`<p><a class="button small" rel="next" href="${more}">${t(texts.words.nextPage)}</a></p>`}
</section>`,
  })
})
