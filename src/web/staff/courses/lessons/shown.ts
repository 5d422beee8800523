import type { Static } from 'typebox'
import type { AttachmentPage, LessonDrip, LessonVersionPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn } from '../../forms/errors.ts'
import type { FormState } from '../../forms/fields.ts'
import type { OutlineView } from '../courses/course.ts'
import { lessonText as text } from './lesson-text.ts'
import type { Place } from './place.ts'

/** What a form led to where it is shown again. */
export type Again = {
  readonly form: Pairs
  readonly refusal?: Refusal
  /** The text as learners would see it. */
  readonly preview?: string
}

/** What the editor of a lesson shows. */
export type LessonShown = {
  readonly place: Place
  readonly outline: OutlineView
  readonly attachments: Encoded<Static<typeof AttachmentPage>>['data']
  readonly drip: Encoded<Static<typeof LessonDrip>>
  readonly versions: Encoded<Static<typeof LessonVersionPage>>['data']
  readonly again: Again | undefined
}

/** The fields of one form of the page: as stored, or as typed where that form was refused. */
export const stateOf = (
  context: StaffContext,
  { again }: LessonShown,
  acts: readonly string[],
  stored: FormState['typed'],
): FormState => {
  if (again === undefined || !acts.includes(formField(again.form, 'act'))) return { typed: stored, errors: new Map() }
  return { typed: again.form, errors: errorsIn(again.refusal, context.language, text.errors) }
}
