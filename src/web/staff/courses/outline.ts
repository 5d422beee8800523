import { LessonPage, SectionPage } from '#src/areas/curriculum/index.ts'
import { endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { FormWithFiles } from '#src/web/account/index.ts'
import type { StaffSection } from '../section.ts'
import { shownAgain, type Visit } from '../visit.ts'
import { pathOf } from './frame.ts'
import { performAct } from './outline-acts.ts'
import { outlinePage } from './outline-page.ts'
import { getCourse, getOutline, posted, visited } from './visit.ts'

const ARCHIVED: Pairs = [
  ['archived', 'true'],
  ['limit', '50'],
]

const show = async (visit: Visit, refused?: { readonly refusal: Refusal; readonly form: Pairs }): Promise<Reply> => {
  const { parts, person } = visit
  const course = await getCourse(visit)
  const params = { course_id: course.id }
  const [outline, sections, lessons] = await Promise.all([
    getOutline(visit, course.id),
    parts.performAs(person, { operation: 'listSections', params, query: ARCHIVED, returns: SectionPage }),
    parts.performAs(person, { operation: 'listLessons', params, query: ARCHIVED, returns: LessonPage }),
  ])
  return outlinePage(visit, { course, outline, removed: { sections: sections.data, lessons: lessons.data }, refused })
}

const submit = async (visit: Visit, { form }: FormWithFiles): Promise<Reply> => {
  const course = await getCourse(visit)
  const work = async () => `${pathOf(course)}${await performAct(visit, course.id, form)}`
  return shownAgain(work, refusal => show(visit, { refusal, form }))
}

/** GET and POST /staff/courses/:course: a course with its sections and lessons. */
export const courseOutline: StaffSection = {
  // The list of courses leads to each of them.
  entries: [],
  endpoints: parts => [
    endpoint({ route: 'GET /staff/courses/:course', handle: visited(parts, visit => show(visit)) }),
    endpoint({ route: 'POST /staff/courses/:course', handle: posted(parts, submit) }),
  ],
}
