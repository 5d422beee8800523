import { binnable } from '#src/areas/school/index.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { reclaimNames } from '#src/db/slugs.ts'
import { courseStatus } from '../status/queries.ts'
import { getCourse } from './access.ts'
import { getDeletedCourse, showCourse } from './bin.queries.ts'
import { courseSlugs } from './conditions.ts'
import { courseExternalIdTaken } from './rules.ts'
import { Course, CourseRef, CourseRestoration } from './schema.ts'
import { courseView } from './views.ts'

/** The operations on a course in the bin. */
export const courseBin = binnable('course', {
  id: 'Course',
  called: ['a course', 'course'],
  who: 'staff',
  scope: 'courses:write',
  path: '/courses/:course_id',
  params: CourseRef,
  returns: Course,
  body: CourseRestoration,
  fails: [slugTaken, courseExternalIdTaken],
  about:
    'It is published as it was; one whose planned publication is over by then is a draft. If another course has its slug by now, send another `slug`.',
  example: { course_id: 'slug:sourdough-from-scratch' },
  async restore({ db, school, now }, id, { body }) {
    const row = await getDeletedCourse(db, school.id, id)
    const names = { slug: body.slug, externalIdTaken: courseExternalIdTaken }
    await showCourse(db, school.id, id, await reclaimNames(db, school.id, courseSlugs, row, names))
    await courseStatus.resume(db, school.id, id, now)
  },
  get: getCourse,
  view: courseView,
})
