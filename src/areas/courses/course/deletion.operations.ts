import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { dropJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { holdsOf } from '../hooks.ts'
import { PUBLICATION_JOB } from '../publication/queries.ts'
import { lockCourse } from './access.ts'
import { markDeleted } from './queries.ts'
import { courseInUse } from './rules.ts'
import { CourseRef } from './schema.ts'
import { courseView } from './views.ts'

/** Deletes a course. */
export const deleteCourse = operation({
  id: 'deleteCourse',
  route: 'DELETE /courses/:course_id',
  summary: 'Delete a course',
  description:
    'Deletes a course that nobody has access to. Sales records stay. Archive a course that members still use.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  confirm: 'person',
  ifMatch: 'honoured',
  params: CourseRef,
  returns: undefined,
  fails: [courseInUse],
  example: { params: { course_id: 'slug:rye-for-the-patient' } },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockCourse(context, params.course_id)
    await requireMatch(row.revision, () => courseView(context, row))
    const holds = (await holdsOf.call({ courseId: row.id }, { school, db })).reduce((sum, count) => sum + count, 0)
    if (holds > 0) throw new Refusal(courseInUse, `${holds} members may still use the course.`, { members: { holds } })
    await markDeleted(db, school.id, row.id)
    await dropJob(db, school.id, PUBLICATION_JOB, row.id)
    const id = toId('crs', row.id)
    changed({ ids: [id], fields: [] })
    record({
      type: 'course.deleted',
      payload: { course: id },
      effects: {
        access: {
          en: 'Deletes the course for good: nobody finds, edits or buys it any more',
          pt: 'Elimina o curso para sempre: ninguém o encontra, altera ou compra',
        },
      },
    })
  },
})
