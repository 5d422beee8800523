import type { Reply } from '#src/contract/endpoint.ts'
import { doneOf } from '#src/web/page/index.ts'
import type { StaffSection } from '../../section.ts'
import { namesFor } from '../../teaching/names.ts'
import { type TeachingVisit, teachingPage } from '../../teaching/visit.ts'
import { queuePage } from './queue-page.ts'
import { gradingText as text } from './text.ts'
import { listAttempts, listWorks } from './waiting.ts'

const LIMIT = 15

const show = async (visit: TeachingVisit): Promise<Reply> => {
  const part = (name: string): string => visit.query.get(name) ?? ''
  const filter = { isGraded: part('show') === 'graded', courseId: part('course_id'), limit: LIMIT }
  const [works, attempts] = await Promise.all([
    listWorks(visit, { ...filter, cursor: part('works') }),
    listAttempts(visit, { ...filter, cursor: part('attempts') }),
  ])
  const names = await namesFor(visit, [...works.data, ...attempts.data])
  return queuePage({ visit, filter, works, attempts, names, done: doneOf(visit.request) })
}

/** GET /staff/grading: what waits to be graded in the courses of the person, and what was graded. */
export const gradingQueue: StaffSection = {
  entries: [{ path: '/staff/grading', name: text.title, about: text.about, least: 'lecturer' }],
  endpoints: parts => [teachingPage('GET /staff/grading', parts, show)],
}
