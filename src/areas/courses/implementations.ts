import { categoryDeletion } from '#src/areas/categories/index.ts'
import { isTaughtWith, templateDeletion } from '#src/areas/certificate-templates/index.ts'
import { courseCounts, soleLecturerOf } from '#src/areas/lecturers/index.ts'
import { filesPublic, usesOf } from '#src/areas/storage/index.ts'
import { implement } from '#src/contract/hook.ts'
import { itemExists } from '#src/contract/items.ts'
import { toId } from '#src/kit/ids.ts'
import { findCourseName, shareCourses } from './course/named.queries.ts'
import { leaveCategory, leaveTemplate, listImages } from './course/references.queries.ts'
import { countTaught, listSolelyTaught, teachesWith } from './lecturers/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(categoryDeletion, ({ categoryId }, { db, school }) => leaveCategory(db, school.id, categoryId)),
  implement(templateDeletion, async ({ templateId }, { db, school }) => {
    await leaveTemplate(db, school.id, templateId)
  }),
  implement(isTaughtWith, ({ templateId, lecturerId }, { db, school }) =>
    teachesWith(db, school.id, lecturerId, templateId),
  ),
  implement(courseCounts, ({ lecturerIds }, { db, school }) => countTaught(db, school.id, lecturerIds)),
  implement(soleLecturerOf, ({ lecturerId }, { db, school }) => listSolelyTaught(db, school.id, lecturerId)),
  implement(itemExists, async ({ type, id }, { db, school }) => {
    if (type !== 'course') return undefined
    // The locks prevent that a course is deleted while a bundle opens it.
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
