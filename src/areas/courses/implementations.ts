import { categoryDeleted } from '#src/areas/categories/index.ts'
import { itemExists } from '#src/areas/groups/index.ts'
import { courseCounts, soleLecturerOf } from '#src/areas/lecturers/index.ts'
import { filesPublic, usesOf } from '#src/areas/storage/index.ts'
import { implement } from '#src/contract/hook.ts'
import { toId } from '#src/kit/ids.ts'
import { findCourseName, listImages, shareCourses } from './course/named.queries.ts'
import { touchCourses } from './course/queries.ts'
import { countTaught, listSolelyTaught } from './lecturers/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(categoryDeleted, async ({ courseIds }, { db, school }) => {
    await touchCourses(db, school.id, courseIds)
  }),
  implement(courseCounts, ({ lecturerIds }, { db, school }) => countTaught(db, school.id, lecturerIds)),
  implement(soleLecturerOf, ({ lecturerId }, { db, school }) => listSolelyTaught(db, school.id, lecturerId)),
  implement(itemExists, async ({ type, id }, { db, school }) => {
    if (type !== 'course') return undefined
    // Nobody deletes a course while a group is given it.
    await shareCourses(db, school.id, [id])
    const name = await findCourseName(db, school.id, id)
    return name === undefined ? 'unknown' : { name }
  }),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).map(row => ({
      fileId: row.image_file_id,
      kind: 'course',
      id: toId('crs', row.id),
    })),
  ),
  implement(filesPublic, async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).filter(row => row.is_public).map(row => row.image_file_id),
  ),
]
