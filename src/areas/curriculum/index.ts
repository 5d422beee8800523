import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { operations } from './outline/operations.ts'

export { accessRequired, lessonLocked, whyLocked } from './access.rules.ts'
export { getOpenLesson, getOwnLesson, isNothing, type Looking, lockOwnLesson, type SeenLesson } from './access.ts'
export { type DripPeriod, listDripPeriods, listDripPeriodsOf } from './drips/queries.ts'
export type { Drip } from './drips/rules.ts'
export { type LessonOpening, lessonsCopied, lessonsOpen } from './hooks.ts'
export { addContent } from './lessons/actions.ts'
export { lessonExamples } from './lessons/operations.ts'
export { LessonRef } from './lessons/schema.ts'
export { faultsOfOrder, lessonArchived } from './ordering/rules.ts'
export { addOutline } from './outline/actions.ts'
export { findLesson, type LessonRow, listLessons } from './outline/queries.ts'

/** What a course is made of: sections, lessons, their order, versions and release schedules. */
export const curriculum = area({ name: 'curriculum', operations, hooks: implementations })
