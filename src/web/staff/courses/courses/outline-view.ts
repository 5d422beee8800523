import type { Static } from 'typebox'
import type { CoursePage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { CourseView, OutlineView } from './course.ts'

/** A section of an outline with its lessons, and one of them. */
export type SectionView = OutlineView['sections'][number]
/** A lesson of an outline, without its content. */
export type LessonView = SectionView['lessons'][number]

/** An outline as it is shown beside what is open. */
export type OutlineShown = {
  readonly course: CourseView
  readonly outline: OutlineView
  /** The id of the lesson that is open. */
  readonly open?: string | undefined
  /** The id of the section or lesson whose form is open, and the courses to which it can be moved: the first 100. */
  readonly edited?: string | undefined
  readonly others: Encoded<Static<typeof CoursePage>>['data']
  /** What was refused just now, with what was typed. */
  readonly refused?: { readonly refusal: Refusal; readonly form: Pairs } | undefined
}
