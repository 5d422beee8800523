import { putInBin } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { courseStatus } from '../status/queries.ts'
import { hideCourse } from './bin.queries.ts'
import type { CourseRow } from './queries.ts'

/** Puts a course into the bin, as a member who deletes it. */
export const binCourse = async (
  { db, school }: SchoolContext,
  { id, name }: Pick<CourseRow, 'id' | 'name'>,
  memberId: string,
): Promise<void> => {
  await hideCourse(db, school.id, id)
  await courseStatus.cancel(db, school.id, id)
  await putInBin(db, school.id, memberId, [{ kind: 'course', id, name }])
}
