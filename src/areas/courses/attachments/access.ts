import { getOpenLesson, isNotFound, lockOwnLesson, type VisibleLesson } from '#src/areas/courses/curriculum/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type AttachmentRow, findAttachment, findLessonId } from './queries.ts'

/** An attachment with its lesson. */
type VisibleAttachment = VisibleLesson & { readonly attachment: AttachmentRow }

const withLesson = async <Context extends AsCaller<Caller>>(
  context: Context,
  ref: string,
  getLesson: (context: Context, ref: string) => Promise<VisibleLesson>,
): Promise<VisibleAttachment> => {
  const { db, school } = context
  const noAttachment = new Refusal(notFound, 'There is no such attachment.')
  const lessonId = await findLessonId(db, school.id, ref)
  if (lessonId === undefined) throw noAttachment
  try {
    const found = await getLesson(context, lessonId)
    const attachment = await findAttachment(db, school.id, ref)
    if (attachment === undefined) throw noAttachment
    return { ...found, attachment }
  } catch (error) {
    throw isNotFound(error) ? noAttachment : error
  }
}

/** The attachment of a path, for those who may read its lesson. */
export const getOpenAttachment = (context: AsCaller<Caller>, ref: string): Promise<VisibleAttachment> =>
  withLesson(context, ref, getOpenLesson)

/** The attachment of a path, read after its course was locked, for those who manage the course. */
export const lockOwnAttachment = (context: AsCaller, ref: string): Promise<VisibleAttachment> =>
  withLesson(context, ref, lockOwnLesson)
