import { LecturerPage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, framed, page } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import type { StaffSection } from '../../section.ts'
import { turning } from '../../teaching/lists.ts'
import { teachingLink } from '../../teaching/parts.ts'
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

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request, query, isStaff } = context
  const cursor = query.get('cursor') ?? ''
  const { data, next_cursor: next } = await context.call({
    operation: 'listLecturers',
    query: [['limit', '100'] as const, ...(cursor === '' ? [] : [['cursor', cursor] as const])],
    returns: LecturerPage,
  })
  // Only the person whose profile it is sees to whom it belongs; others are for staff.
  const shown = data.filter(one => isStaff || one.member_id !== undefined)
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    notice: doneIn(text.done, doneOf(request), language),
    body: html`<p>${t(isStaff ? text.intro : text.own)}</p>
${isStaff && html`<p><a class="button main" href="${PATH}/new">${t(text.add)}</a></p>`}
${shown.length === 0 ? html`<p>${t(isStaff ? text.none : text.noProfile)}</p>` : html`<ul class="list menu">\n${shown.map(one => item(one, language))}</ul>`}
${turning(context, PATH, { parameters: { cursor }, next })}
${isStaff && shown.length > 0 && downloadLinks('listLecturers', schoolOf(context))}
${isStaff ? staffLink(language) : teachingLink(language)}`,
  })
}

/** GET /staff/lecturers: the profiles of lecturers for staff, and their own for lecturers. */
export const lecturerList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  pages: [page(`GET ${PATH}`, courseTeachers, show)],
}
