import { addVersion, BLANK, type Parts } from '#src/areas/courses/contents/index.ts'
import { useFile } from '#src/areas/files/index.ts'
import { bodyFor } from '#src/contract/body.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { touchOutline } from '../nodes/queries.ts'
import { type LessonRow, storeFirstVersion, touchLesson } from './queries.ts'

/**
 * Stores the text and the parts, with files as ids of rows, of a lesson that has no content yet; its course is locked, or created
 * in this transaction.
 */
export const addContent = async (
  context: Pick<WriteContext, 'db' | 'school' | 'now'>,
  lessonId: string,
  { body, ...parts }: Partial<Parts> & { readonly body: string },
): Promise<void> => {
  const content = { ...BLANK, ...bodyFor('lesson', BLANK, { body }), ...parts }
  const fileIds = [content.file_id, ...content.captions.map(one => one.file_id)]
  for (const id of fileIds.filter(one => one !== null))
    await useFile(context, { id, pointer: '/file_id', purposes: ['course'] })
  await addVersion({ ...context, authorId: undefined }, { id: lessonId, version: 0 }, content)
  await storeFirstVersion(context.db, context.school.id, lessonId)
}

/** Raises the revisions of a lesson and of the outline of its course, which is locked. */
export const reviseLesson = async ({ db, school }: SchoolContext, lesson: LessonRow): Promise<void> => {
  await touchLesson(db, school.id, lesson.id)
  await touchOutline(db, school.id, lesson.course_id)
}
