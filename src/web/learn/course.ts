import { CertificatePage } from '#src/areas/certificates/index.ts'
import { fill } from '#src/contract/language.ts'
import { doneOf, redirect } from '#src/web/account/index.ts'
import type { Notice } from './frame.ts'
import { lessonsOf } from './lessons.rules.ts'
import { getOwnCourse, type OwnCourse } from './own-course.ts'
import { coursePage } from './pages/course.ts'
import type { LearnPagesParts } from './parts.ts'
import { learnText as text } from './text.ts'
import { type Answer, read, type Visit } from './visit.ts'

/** Whether a course is only on the site for somebody: they neither learn in it nor manage it. */
export const isForeign = ({ enrollment, canManage }: OwnCourse): boolean => enrollment === undefined && !canManage

/** The address of a course on the site. */
export const onSite = ({ course, id }: OwnCourse): string => `/courses/${course?.slug ?? id}`

const certificateOf = async (visit: Visit, parts: LearnPagesParts, course: OwnCourse): Promise<string | undefined> => {
  if (typeof course.enrollment?.completed_at !== 'string') return undefined
  const call = { operation: 'listAccountCertificates', query: [['limit', '100']], returns: CertificatePage } as const
  const { data } = await read(visit, parts, call)
  return data.find(one => one.course_id === course.id && one.status === 'valid')?.url
}

const isAllDone = ({ enrollment, progress }: OwnCourse): boolean =>
  typeof enrollment?.completed_at === 'string' && progress?.percent_complete === 100

/** What was just done, from the query: an enrollment, or the id of a lesson of the course that was completed. */
export const noticeOf = (visit: Visit, course: OwnCourse): Notice | undefined => {
  const { language } = visit
  const done = doneOf(visit.request)
  if (done === 'enrolled') return { kind: 'done', text: fill(text.done.enrolled, language) }
  if (done === 'undone') return { kind: 'done', text: fill(text.done.undone, language) }
  const lesson = lessonsOf(course).find(({ id }) => id === done)
  return (
    lesson && {
      kind: 'done',
      text: fill(text.done[isAllDone(course) ? 'course' : 'lesson'], language, { lesson: lesson.name }),
    }
  )
}

/** GET /learn/:course: the course with what the person has done in it. */
export const showCourse: Answer = async (visit, parts) => {
  const course = await getOwnCourse(visit, parts)
  if (isForeign(course)) return redirect(onSite(course))
  return coursePage(visit, {
    course,
    certificateUrl: await certificateOf(visit, parts, course),
    notice: noticeOf(visit, course),
  })
}
