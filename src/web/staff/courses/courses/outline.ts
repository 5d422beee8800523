import { LessonPage, SectionPage } from '#src/areas/courses/index.ts'
import { CourseCompletions, EnrollmentPage } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type FormWithFiles, fileForm, isReply, page, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { recentStaffOf } from '../../page-request.ts'
import type { StaffSection } from '../../section.ts'
import { getCourse, getOutline } from './course.ts'
import { pathOf } from './frame.ts'
import { doIn, performAct } from './outline-acts.ts'
import { type Completions, outlinePage } from './outline-page.ts'

const ARCHIVED: Pairs = [
  ['archived', 'true'],
  ['limit', '50'],
]

const READY: Pairs = [
  ['completed', 'false'],
  ['percent_complete[gte]', '100'],
  ['limit', '1'],
  ['include_total', 'true'],
]

type Again = {
  readonly refused?: { readonly refusal: Refusal; readonly form: Pairs }
  /** What completing the course for all who lack nothing would do. */
  readonly completions?: Completions | undefined
}

const show = async (context: StaffContext, { refused, completions }: Again = {}): Promise<Reply> => {
  const { call } = context
  const course = await getCourse(context)
  const params = { course_id: course.id }
  const [outline, sections, lessons, ready] = await Promise.all([
    getOutline(context, course.id),
    call({ operation: 'listSections', params, query: ARCHIVED, returns: SectionPage }),
    call({ operation: 'listLessons', params, query: ARCHIVED, returns: LessonPage }),
    call({ operation: 'listCourseEnrollments', params, query: READY, returns: EnrollmentPage }),
  ])
  const removed = { sections: sections.data, lessons: lessons.data }
  return outlinePage(context, { course, outline, removed, readyCount: ready.total ?? 0, completions, refused })
}

const countReady = async (context: StaffContext, courseId: string): Promise<Reply> => {
  const params = { course_id: courseId }
  const call = { operation: 'createCourseCompletions', params, dryRun: true, returns: CourseCompletions } as const
  const { result } = await context.call(call)
  return show(context, { completions: result ?? undefined })
}

const submit = async (context: StaffContext, { form }: FormWithFiles): Promise<Reply> => {
  const { name } = doIn(form)
  if (name === 'complete_all') {
    // What cannot be undone needs a recent sign-in, which leads back to this page.
    const recent = await recentStaffOf(context.request)
    if (isReply(recent)) return recent
  }
  const course = await getCourse(context)
  if (name === 'count_ready') return countReady(context, course.id)
  const work = async () => `${pathOf(course)}${await performAct(context, course.id, form)}`
  return shownAgain(work, refusal => show(context, { refused: { refusal, form } }))
}

/** GET and POST /staff/courses/:course: a course with its sections and lessons. */
export const courseOutline: StaffSection = {
  // The list of courses leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/courses/:course', courseTeachers, context => show(context)),
    fileForm('POST /staff/courses/:course', courseTeachers, submit),
  ],
}
