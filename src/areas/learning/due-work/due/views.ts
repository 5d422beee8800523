import type { Static } from 'typebox'
import type { DueRow } from './lookups.ts'
import type { DueWork } from './schema.ts'

/** Due work as it is returned. */
export const dueView = ({ course, lesson, state, due_at, ends_at }: DueRow): Static<typeof DueWork> => ({
  course: { id: course.id, name: course.name, slug: course.slug },
  lesson: { id: lesson.id, name: lesson.name },
  kind: lesson.kind,
  state,
  due_at,
  ends_at,
})
