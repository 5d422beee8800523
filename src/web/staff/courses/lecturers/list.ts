import { LecturerPage } from '#src/areas/courses/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, listRow, page, readDone } from '#src/web/page/index.ts'
import { courseTeachers } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import { turning } from '../../teaching/lists.ts'
import { teachingLink } from '../../teaching/parts.ts'

const { common: text } = texts.staff.lecturers

const PATH = '/staff/lecturers'

/** GET /staff/lecturers: the profiles of lecturers for staff, and their own for lecturers. */
export const lecturerList = page(`GET ${PATH}`, courseTeachers, async context => {
  const { t, call, language, request, isStaff } = context
  const cursor = context.query.get('cursor') ?? ''
  const query: Pairs = [['limit', '100'], ...(cursor === '' ? [] : [['cursor', cursor] as const])]
  const { data, next_cursor: next } = await call({ operation: 'listLecturers', query, returns: LecturerPage })
  // Only the person whose profile it is sees to whom it belongs; others are for staff.
  const rows = data
    .filter(one => isStaff || one.member_id !== undefined)
    .map(({ id, display_name, course_count: n, visibility, member_id }) =>
      listRow(`${PATH}/${id}`, display_name, [
        t(texts.words.courseCount, { n }),
        ...(visibility === 'hidden' ? [t(texts.words.states.hidden)] : []),
        ...(member_id == null ? [t(text.noAccount)] : []),
      ]),
    )
  return context.frame({
    title: t(text.title),
    notice: doneIn(text.done, readDone(request), language),
    body: html`<p>${t(isStaff ? text.intro : text.own)}</p>
${isStaff && html`<p><a class="button main" href="${PATH}/new">${t(texts.words.addLecturer)}</a></p>`}
${rows.length === 0 ? html`<p>${t(isStaff ? texts.words.noLecturersYet : text.noProfile)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${turning(context, PATH, { parameters: { cursor }, next })}
${isStaff && rows.length > 0 && downloadLinks('listLecturers', context)}
${isStaff ? staffLink(language) : teachingLink(language)}`,
  })
})
