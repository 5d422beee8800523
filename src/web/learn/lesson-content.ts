import type { Static } from 'typebox'
import { AttachmentPage, Lesson } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { idPattern } from '#src/kit/ids.ts'
import { isShown } from '#src/web/page/index.ts'
import { listLessons } from './lessons.rules.ts'
import type { OutlineLesson, OwnCourse } from './own-course.ts'
import type { LearnContext } from './parts.ts'

/** A lesson with its content. */
export type LessonView = Encoded<Static<typeof Lesson>>
/** A file beside a lesson. */
export type AttachmentView = Encoded<Static<typeof AttachmentPage>>['data'][number]

/** A lesson of a course that the person has opened, or why it is not available now. */
type OpenedLesson =
  | { readonly lesson: LessonView; readonly attachments: readonly AttachmentView[] }
  | { readonly refusal: Refusal }

const LESSON_ID = new RegExp(idPattern('les'))

/** The lesson of a path, as the outline of its course has it; refuses with 404 one of another course. */
export const lessonIn = (course: OwnCourse, param: string): OutlineLesson => {
  const lesson = LESSON_ID.test(param) ? listLessons(course).find(({ id }) => id === param) : undefined
  if (lesson === undefined) throw new Refusal(notFound, 'There is no such lesson.')
  return lesson
}

/** Opens a lesson for the person. */
export const openLesson = async (context: LearnContext, id: string): Promise<OpenedLesson> => {
  const params = { lesson_id: id }
  try {
    const [lesson, { data }] = await Promise.all([
      context.call({ operation: 'getLesson', params, returns: Lesson }),
      context.call({
        operation: 'listLessonAttachments',
        params,
        query: [['limit', '50']],
        returns: AttachmentPage,
      }),
    ])
    return { lesson, attachments: data }
  } catch (refusal) {
    if (isShown(refusal)) return { refusal }
    throw refusal
  }
}
