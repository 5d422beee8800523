import type { LessonOpening } from '#src/areas/curriculum/index.ts'

/** A lesson as far as telling goes. */
export type ToldLesson = { readonly id: string; readonly opening: LessonOpening; readonly isDone: boolean }

/** Which lessons a person is to be told of, and when the next one opens. */
export type Due = { readonly opened: readonly string[]; readonly next: Date | undefined }

/**
 * What to tell who was told until one instant, at a later one: lessons that opened in between and are not completed. Those
 * that open with a completion are told of too, since somebody else may have said it.
 */
export const dueAt = (lessons: readonly ToldLesson[], toldUntil: Date, now: Date): Due => {
  const opened = lessons.filter(
    ({ opening, isDone }) =>
      opening.is_open && !isDone && opening.opens_at !== undefined && opening.opens_at > toldUntil,
  )
  const coming = lessons.flatMap(({ opening: { opens_at: at } }) =>
    at !== undefined && at > now ? [at.getTime()] : [],
  )
  return { opened: opened.map(({ id }) => id), next: coming.length === 0 ? undefined : new Date(Math.min(...coming)) }
}
