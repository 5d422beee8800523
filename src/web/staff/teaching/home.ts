import { StudentPage } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { framed, page } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../audience.ts'
import { listAttempts, listWorks } from '../learning/grading/waiting.ts'
import { staffLink } from '../pages/link.ts'
import type { StaffSection } from '../section.ts'
import { type TeachingView, teachingParts } from './home-page.ts'
import { namesFor } from './names.ts'
import { teachingText as text } from './text.ts'

const SHOWN = 5

// The work that waits, and how many students there are.
const readTeaching = async (context: TeacherContext): Promise<TeachingView> => {
  const filter = { isGraded: false, courseId: '', limit: SHOWN }
  const [works, attempts, students] = await Promise.all([
    listWorks(context, filter),
    listAttempts(context, filter),
    context.call({
      operation: 'listStudents',
      query: [
        ['limit', '1'],
        ['include_total', 'true'],
      ],
      returns: StudentPage,
    }),
  ])
  const names = await namesFor(context, [...works.data, ...attempts.data])
  return { context, works, attempts, names, studentCount: students.total ?? 0 }
}

const show = async (context: TeacherContext): Promise<Reply> => {
  const { t, language, request } = context
  const body = teachingParts(await readTeaching(context))
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    body: context.isStaff ? { html: `${body.html}${staffLink(language).html}` } : body,
  })
}

/** GET /staff/teaching: the first page of those who teach. */
export const teachingHome: StaffSection = {
  entries: [{ path: '/staff/teaching', name: text.overview, about: text.about, least: 'lecturer' }],
  pages: [page('GET /staff/teaching', teachers, show)],
}
