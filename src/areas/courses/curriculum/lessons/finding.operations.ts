import Type from 'typebox'
import { coursesTaughtBy, teaches } from '#src/areas/courses/courses/index.ts'
import { isAtLeast, isStaff } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { Closed, Id, Line } from '#src/kit/shapes.ts'
import { fold } from '#src/kit/text.ts'
import { searchLessons } from './queries.ts'

const MOST = 20

/** Lessons that were found by their names. */
export const FoundLessons = Closed('FoundLessons', {
  data: Type.Array(
    Closed('FoundLesson', {
      id: Id('les'),
      name: Type.String(),
      course_id: Id('crs'),
      course: Type.String({ description: 'The name of its course' }),
    }),
    { maxItems: MOST, description: 'Those whose name begins with the words first' },
  ),
})

const findLessons = operation({
  id: 'findLessons',
  summary: 'Find lessons',
  description:
    'Finds lessons of all courses by parts of their names, at most 20, without archived ones. Lecturers find those of the courses they teach. Ignores case and accents.',
  who: 'lecturer_of',
  mode: 'read',
  query: Type.Object({ q: Line(200, 'Parts of the name') }, { additionalProperties: false }),
  returns: FoundLessons,
  example: { query: { q: 'sour' } },
  async handle({ db, school, caller, query }) {
    const { member } = caller
    const isLecturer = isStaff(caller) || (member !== undefined && isAtLeast(member.role, 'lecturer'))
    if (!isLecturer && (member === undefined || !(await teaches(db, school.id, member.id))))
      throw new Refusal(roleRequired, 'This is for staff and for lecturers.')
    guardPassed(db)
    const taught = isStaff(caller) || member === undefined ? undefined : coursesTaughtBy(school.id, member.id)
    return { data: await searchLessons(db, school.id, { taught, folded: fold(query.q), most: MOST }) }
  },
})

/** How the console finds lessons; no app can call it. */
export const findingOperations = [findLessons]
