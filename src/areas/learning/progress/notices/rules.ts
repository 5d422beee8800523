import type { LessonAvailability } from '#src/areas/courses/index.ts'

/** The properties of a lesson that matter for notices. */
type NoticedLesson = { readonly id: string; readonly availability: LessonAvailability; readonly isDone: boolean }

/** The lessons to announce to a member, and when the next one unlocks. */
type Due = { readonly unlocked: readonly string[]; readonly next: Date | undefined }

/**
 * The lessons to announce between two instants: those that were unlocked in between and are not completed. Lessons that
 * a completion unlocked are announced too, since somebody else may have set it.
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
