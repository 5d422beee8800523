import type { Pairs } from '#src/kit/form.ts'
import type { FormFile, Notice } from '#src/web/page/index.ts'
import type { OutlineLesson, OwnCourse } from './own-course.ts'
import type { LearnContext } from './parts.ts'

/** What a form with answers leads to, where it is shown again. */
export type ShownAgain = {
  /** What the person typed, by the names of the fields. */
  readonly form: Pairs
  readonly errors: ReadonlyMap<string, 'number' | 'length'>
  /** Whether the next submission ends the attempt although answers are missing. */
  readonly isSure: boolean
}

/** A lesson in its course. */
export type Place = { readonly course: OwnCourse; readonly listed: OutlineLesson }

/** How a page is shown after a form that was not accepted. */
export type Again = { readonly notice: Notice; readonly again?: ShownAgain }

/** What the person does in a lesson by a form with its files: the address that follows, or the page shown again. */
export type Act = (
  context: LearnContext,
  place: Place,
  form: Pairs,
  files: readonly FormFile[],
) => Promise<string | Again>
