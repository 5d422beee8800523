import { CertificatePage } from '#src/areas/certificates/index.ts'
import { redirect } from '#src/web/account/index.ts'
import { noticeOf } from './notices.ts'
import { getOwnCourse, type OwnCourse } from './own-course.ts'
import { coursePage } from './pages/course.ts'
import type { LearnPagesParts } from './parts.ts'
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
