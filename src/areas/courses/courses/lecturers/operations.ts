import Type from 'typebox'
import { lockLecturerByRef, refuseSole, soleLecturer } from '#src/areas/courses/lecturers/index.ts'
import { declareFor } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { Ref } from '#src/kit/shapes.ts'
import { texts } from '#src/texts/index.ts'
import { buildViewer, lockCourse } from '../course/access.ts'
import { touchCourse } from '../course/queries.ts'
import { Course } from '../course/schema.ts'
import { courseView } from '../course/views.ts'
import { deleteTeaching, insertTeaching, isTaught } from './queries.ts'

const TeachingRef = Type.Object({ course_id: Ref('crs', ['external', 'slug']), lecturer_id: Ref('lec', ['slug']) })

const addCourseLecturer = declareFor('staff', 'courses', {
  id: 'addCourseLecturer',
  route: 'PUT /courses/:course_id/lecturers/:lecturer_id',
  summary: 'Add a course lecturer',
  description:
    'Adds a lecturer to a course. The member behind the profile may read and change the course from now on, whatever their role.',
  params: TeachingRef,
  returns: Course,
  example: { params: { course_id: 'slug:first-loaf', lecturer_id: 'slug:carla-nunes' } },
  async handle(context) {
    const { db, school, caller, params, changed, record } = context
    // The same order as when a profile is removed, to prevent deadlocks: the profile, then its courses.
    const lecturer = await lockLecturerByRef(context, params.lecturer_id)
    const course = await lockCourse(context, params.course_id)
    const id = toId('crs', course.id)
    if ((await insertTeaching(db, school.id, course.id, lecturer.id)) === 0) return courseView(context, course)
    const stored = await touchCourse(db, school.id, buildViewer(caller), course.id)
    changed({ ids: [id, toId('lec', lecturer.id)], fields: ['lecturer_ids'], revision: stored.revision })
    record({
      type: 'course.lecturer_added',
      payload: { course_id: id, lecturer_id: toId('lec', lecturer.id) },
      effects: texts.courses.lecturers.operations.addCourseLecturer.effects,
    })
    return courseView(context, stored)
  },
})

const removeCourseLecturer = declareFor('staff', 'courses', {
  id: 'removeCourseLecturer',
  route: 'DELETE /courses/:course_id/lecturers/:lecturer_id',
  summary: 'Remove a course lecturer',
  description: 'Removes a lecturer from a course. The last lecturer of a published course cannot be removed.',
  params: TeachingRef,
  returns: Course,
  fails: [soleLecturer],
  example: { params: { course_id: 'slug:rye-for-the-patient', lecturer_id: 'slug:carla-nunes' } },
  async handle(context) {
    const { db, school, caller, params, changed, record } = context
    const lecturer = await lockLecturerByRef(context, params.lecturer_id)
    const course = await lockCourse(context, params.course_id)
    const id = toId('crs', course.id)
    if ((await deleteTeaching(db, school.id, course.id, lecturer.id)) === 0) return courseView(context, course)
    if (course.status === 'published' && !(await isTaught(db, school.id, course.id))) refuseSole([course])
    const stored = await touchCourse(db, school.id, buildViewer(caller), course.id)
    changed({ ids: [id, toId('lec', lecturer.id)], fields: ['lecturer_ids'], revision: stored.revision })
    record({ type: 'course.lecturer_removed', payload: { course_id: id, lecturer_id: toId('lec', lecturer.id) } })
    return courseView(context, stored)
  },
})

/** The operations of the lecturers of a course, in the order of the documentation. */
export const teachingOperations = [addCourseLecturer, removeCourseLecturer]
