import type { Reply } from '#src/contract/endpoint.ts'
import { doneOf, page } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { namesFor } from '../../teaching/names.ts'
import { queuePage } from './queue-page.ts'
import { gradingText as text } from './text.ts'
import { listAttempts, listWorks } from './waiting.ts'

const LIMIT = 15

const show = async (context: TeacherContext): Promise<Reply> => {
  const part = (name: string): string => context.query.get(name) ?? ''
  const filter = { isGraded: part('show') === 'graded', courseId: part('course_id'), limit: LIMIT }
  const [works, attempts] = await Promise.all([
    listWorks(context, { ...filter, cursor: part('works') }),
    listAttempts(context, { ...filter, cursor: part('attempts') }),
  ])
  const names = await namesFor(context, [...works.data, ...attempts.data])
  return queuePage({ context, filter, works, attempts, names, done: doneOf(context.request) })
}

/** GET /staff/grading: what waits to be graded in the courses of the person, and what was graded. */
export const gradingQueue: StaffSection = {
  entries: [{ path: '/staff/grading', name: text.title, about: text.about, least: 'lecturer' }],
  pages: [page('GET /staff/grading', teachers, show)],
}
