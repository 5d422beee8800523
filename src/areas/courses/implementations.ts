import { filesPublic, usesOf } from '#src/areas/storage/index.ts'
import { toId } from '#src/kit/ids.ts'
import { listImages } from './course/lookups.queries.ts'

/** Answers what storage asks of pictures of courses: those of published ones are open to everybody. */
export const answerForImages = (): void => {
  usesOf.answer('courses', async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).map(row => ({
      fileId: row.image_file_id,
      kind: 'course',
      id: toId('crs', row.id),
    })),
  )
  filesPublic.answer('courses', async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).filter(row => row.is_public).map(row => row.image_file_id),
  )
}
