import { LecturerPage } from '#src/areas/lecturers/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, framed } from '#src/web/account/index.ts'
import { staffLink } from '../pages/link.ts'
import type { StaffSection } from '../section.ts'
import { turning } from '../teaching/lists.ts'
import { perform, staffPage, type Visit } from '../visit.ts'
import type { LecturerShown } from './lecturer-form.ts'
import { lecturersText as text } from './text.ts'

const PATH = '/staff/lecturers'

const item = (
  { id, display_name, course_count: n, visibility, member_id }: LecturerShown,
  language: 'en' | 'pt',
): Html => {
  const facts = [
    fill(text.courses, language, { n }),
    ...(visibility === 'hidden' ? [fill(text.hidden, language)] : []),
    ...(member_id == null ? [fill(text.noAccount, language)] : []),
  ]
  return html`<li><a href="${PATH}/${id}"><bdi>${display_name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const show = async (visit: Visit): Promise<Reply> => {
  const { language, request, query } = visit
  const cursor = query.get('cursor') ?? ''
  const { data, next_cursor: next } = await perform(visit, {
    operation: 'listLecturers',
    query: cursor === '' ? [] : [['cursor', cursor]],
    returns: LecturerPage,
  })
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    notice: doneIn(text.done, doneOf(request), language),
    body: html`<p>${fill(text.intro, language)}</p>
<p><a class="button main" href="${PATH}/new">${fill(text.add, language)}</a></p>
${data.length === 0 ? html`<p>${fill(text.none, language)}</p>` : html`<ul class="list menu">\n${data.map(one => item(one, language))}</ul>`}
${turning(visit, PATH, { parameters: { cursor }, next })}
${staffLink(language)}`,
  })
}

/** GET /staff/lecturers: the profiles of lecturers. */
export const lecturerList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  endpoints: parts => [staffPage(`GET ${PATH}`, parts, show)],
}
