import {
  Course,
  CourseRef,
  courseStatus,
  courseView,
  getCourse,
  listCoursePrices,
  lockCourse,
} from '#src/areas/courses/courses/index.ts'
import { publishable } from '#src/contract/publishable.ts'
import type { Warning } from '#src/contract/warning.ts'
import { texts } from '#src/texts/index.ts'
import { publicationWarnings } from './hooks.ts'

const noPrice: Warning = {
  code: 'no_price',
  message: 'The course has no active price yet: only staff can enroll students.',
  ids: [],
}

/** The operations that change the status of a course, and a course after its publication. */
export const { operations: publicationOperations, published: PublishedCourse } = publishable(courseStatus, {
  scope: 'courses:write',
  path: '/courses/:course_id',
  params: CourseRef,
  returns: Course,
  called: ['a course', 'course'],
  lock: lockCourse,
  get: getCourse,
  view: courseView,
  publish: {
    description:
      'Publishes a course now, or at the instant in `at`. A scheduled course can be published now or rescheduled in the same way. `warnings` lists what the course lacks: published lessons, content in them, a price, or a school that can be paid (`cannot_be_paid`).',
    example: { course_id: 'slug:sourdough-from-scratch' },
    effect: texts.courses.publication.operations.published,
    async warnings({ db, school }, _course, { id }) {
      const [prices, answers] = await Promise.all([
        listCoursePrices(db, school.id, [id]),
        publicationWarnings.call({ courseId: id }, { school, db }),
      ])
      return [...answers.flat(), ...(prices.length === 0 ? [noPrice] : [])]
    },
  },
  unpublish: {
    description:
      'Turns a published or scheduled course back into a draft. Those who have access keep it as an enrollment; nobody else finds the course.',
    example: { course_id: 'slug:rye-for-the-patient' },
  },
  archive: {
    description: 'Archives a published course, which ends its sale. Members with access keep it.',
    example: { course_id: 'slug:winter-stollen' },
  },
})
