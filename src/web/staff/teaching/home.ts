import { StudentPage } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { framed } from '#src/web/page/index.ts'
import { listAttempts, listWorks } from '../learning/grading/waiting.ts'
import { staffLink } from '../pages/link.ts'
import type { StaffSection } from '../section.ts'
import { perform } from '../visit.ts'
import { type TeachingView, teachingParts } from './home-page.ts'
import { namesFor } from './names.ts'
import { teachingText as text } from './text.ts'
import { type TeachingVisit, teachingPage } from './visit.ts'

const SHOWN = 5

// The work that waits, and how many students there are.
const readTeaching = async (visit: TeachingVisit): Promise<TeachingView> => {
  const filter = { isGraded: false, courseId: '', limit: SHOWN }
  const [works, attempts, students] = await Promise.all([
    listWorks(visit, filter),
    listAttempts(visit, filter),
    perform(visit, {
      operation: 'listStudents',
      query: [
        ['limit', '1'],
        ['include_total', 'true'],
      ],
      returns: StudentPage,
    }),
  ])
  const names = await namesFor(visit, [...works.data, ...attempts.data])
  return { visit, works, attempts, names, studentCount: students.total ?? 0 }
}

const show = async (visit: TeachingVisit): Promise<Reply> => {
  const { language, request } = visit
  const body = teachingParts(await readTeaching(visit))
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    body: visit.isStaff ? { html: `${body.html}${staffLink(language).html}` } : body,
  })
}

/** GET /staff/teaching: the first page of those who teach. */
export const teachingHome: StaffSection = {
  entries: [{ path: '/staff/teaching', name: text.overview, about: text.about, least: 'lecturer' }],
  endpoints: parts => [teachingPage('GET /staff/teaching', parts, show)],
}
