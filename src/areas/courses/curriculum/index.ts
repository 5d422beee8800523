import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { restoreLesson } from './lessons/bin.operations.ts'
import { findingOperations } from './lessons/finding.operations.ts'
import { lessonOperations } from './lessons/operations.ts'
import { placementOperations } from './lessons/placement.operations.ts'
import { sectionOperations } from './sections/operations.ts'

export { isNotFound, readCourse } from './access.ts'
export {
  type LessonAvailability,
  lessonAvailability,
  lessonsCopied,
  lessonWarnings,
  requirementWarnings,
} from './hooks.ts'
export { getOpenLesson, getOwnLesson, lockOwnLesson, type VisibleLesson } from './lessons/access.ts'
export { FoundLessons } from './lessons/finding.operations.ts'
export { lessonDimension } from './lessons/metrics.ts'
export { lessonExamples } from './lessons/operations.ts'
export { findLesson, type LessonRow, listLessons, storeLesson } from './lessons/queries.ts'
export { accessRequired, checkNotArchived, lessonArchived, lessonLocked, whyLocked } from './lessons/rules.ts'
export { ChangedLesson, Lesson, LessonPage, LessonRef } from './lessons/schema.ts'
export { lessonView } from './lessons/views.ts'
export { addContent, reviseLesson } from './lessons/writes.ts'
export { findOutline, type OutlineRow } from './nodes/queries.ts'
export {
  cleanName,
  errorsOfOrder,
  type LessonValues,
  NEW_LESSON,
  type PlannedLesson,
  type PlannedSection,
} from './nodes/rules.ts'
export {
  changeableColumns,
  lessonSettings,
  lessonType,
  MAX_LESSONS,
  MAX_SECTIONS,
  settingNames,
} from './nodes/schema.ts'
export { storeNodes } from './nodes/writes.ts'
export { listSections, type SectionRow } from './sections/queries.ts'
export { Section, SectionPage } from './sections/schema.ts'

/** Sections and lessons of courses: their order and settings. */
export const curriculum = area({
  name: 'curriculum',
  operations: [
    ...sectionOperations,
    ...lessonOperations,
    restoreLesson,
    ...placementOperations,
    ...findingOperations,
  ],
  hooks: implementations,
})
