import { CertificatePage } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { readForm, redirect } from '#src/web/page/index.ts'
import type { Notice } from './frame.ts'
import { isShown } from './lesson-content.ts'
import { noticeOf, refusalNotice } from './notices.ts'
import { getOwnCourse, type OwnCourse } from './own-course.ts'
import { coursePage } from './pages/course.ts'
import type { LearnPagesParts } from './parts.ts'
import { type Answer, perform, read, type Visit } from './visit.ts'

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

const show = async (visit: Visit, parts: LearnPagesParts, notice?: Notice): Promise<Reply> => {
  const course = await getOwnCourse(visit, parts)
  if (isForeign(course)) return redirect(onSite(course))
  return coursePage(visit, {
    course,
    certificateUrl: await certificateOf(visit, parts, course),
    notice: notice ?? noticeOf(visit, course),
  })
}

/** GET /learn/:course: the course with what the person has done in it. */
export const showCourse: Answer = (visit, parts) => show(visit, parts)

/** POST /learn/:course: the person finishes the course, of which they lack nothing. */
export const submitCourse: Answer = async (visit, parts) => {
  await readForm(visit.request, parts.secret, { session: visit.session })
  const { enrollment, path } = await getOwnCourse(visit, parts)
  if (enrollment === undefined) return show(visit, parts)
  try {
    await perform(visit, parts, { operation: 'completeAccountEnrollment', params: { enrollment_id: enrollment.id } })
    return redirect(`${path}?done=finished`)
  } catch (error) {
    if (!isShown(error)) throw error
    return { ...(await show(visit, parts, refusalNotice(error, visit))), status: error.problem.status }
  }
}
