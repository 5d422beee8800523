import type { LessonOpening } from '#src/areas/curriculum/index.ts'

/** A lesson as far as notices go. */
export type NoticedLesson = { readonly id: string; readonly availability: LessonOpening; readonly isDone: boolean }

/** Which lessons to announce to a person, and when the next one unlocks. */
export type Due = { readonly unlocked: readonly string[]; readonly next: Date | undefined }

/**
 * What to announce between two instants: lessons that were unlocked in between and are not completed. Those unlocked by a
 * completion are announced too, since somebody else may have set it.
 */
export const dueAt = (lessons: readonly NoticedLesson[], notifiedUntil: Date, now: Date): Due => {
  const unlocked = lessons.filter(
    ({ availability: { is_open, opens_at: at }, isDone }) =>
      is_open && !isDone && at !== undefined && at > notifiedUntil,
  )
  const coming = lessons.flatMap(({ availability: { opens_at: at } }) =>
    at !== undefined && at > now ? [at.getTime()] : [],
  )
  return {
    unlocked: unlocked.map(({ id }) => id),
    next: coming.length === 0 ? undefined : new Date(Math.min(...coming)),
  }
}
