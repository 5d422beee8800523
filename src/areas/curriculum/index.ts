import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { operations } from './outline/operations.ts'

export { isNotFound } from './access.ts'
export { type DripPeriod, listDripPeriods, listDripPeriodsOf } from './drips/lookups.ts'
export type { Drip } from './drips/rules.ts'
export { type LessonOpening, lessonsCopied, lessonsOpen } from './hooks.ts'
export { getOpenLesson, getOwnLesson, lockOwnLesson, type VisibleLesson } from './lessons/access.ts'
export { findLesson, listLessons } from './lessons/lookups.ts'
export { lessonExamples } from './lessons/operations.ts'
export type { LessonRow } from './lessons/queries.ts'
export { accessRequired, checkNotArchived, lessonArchived, lessonLocked, whyLocked } from './lessons/rules.ts'
export { LessonRef } from './lessons/schema.ts'
export { addContent } from './lessons/writes.ts'
export { cleanName, errorsOfOrder } from './outline/rules.ts'
export { addOutline } from './outline/writes.ts'

/** Sections and lessons of courses: their order, settings, versions and release schedules. */
export const curriculum = area({ name: 'curriculum', operations, hooks: implementations })
