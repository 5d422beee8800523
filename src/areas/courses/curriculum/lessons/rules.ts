import { problem, Refusal } from '#src/contract/problem.ts'
import { changedFields, merged, picked } from '#src/kit/patch.ts'
import type { LessonAvailability } from '../hooks.ts'
import { cleanName, type LessonValues } from '../nodes/rules.ts'
import { changeableColumns, settingNames } from '../nodes/schema.ts'
import type { LessonInput } from './schema.ts'

/** The person has no access to the course now. */
export const accessRequired = problem(
  403,
  'access_required',
  'There is no access to the course now',
  'Learning in a course needs access to it. GET /account/access tells whether it is yet to begin, has ended or is held back, and what it rests on.',
)

/** The lesson is not available yet. */
export const lessonLocked = problem(
  403,
  'lesson_locked',
  'The lesson is not open yet',
  'The course opens its lessons one after the other or at certain times. opens_at tells when this one opens, where that is known.',
)

/** The lesson is archived. */
export const lessonArchived = problem(
  409,
  'lesson_archived',
  'The lesson is archived',
  'An archived lesson can be read but not changed. Restore it with PUT /lessons/{lesson_id}/placement first.',
)

/** Describes why a lesson is not available. */
export const whyLocked = ({ reason }: Pick<LessonAvailability, 'reason'>): string =>
  reason === 'previous' ? 'The lesson opens when the one before it is completed.' : 'The lesson is not open yet.'

/** Refuses a change of an archived lesson. */
export const checkNotArchived = (lesson: { readonly archived_at: Date | null }): void => {
  if (lesson.archived_at !== null) throw new Refusal(lessonArchived, 'The lesson is archived.')
}

/** The settings of a lesson after a change; refuses a name without visible characters. */
export const mergeSettings = (before: LessonValues, input: LessonInput): LessonValues => ({
  ...merged(picked(before, settingNames), picked(input, settingNames)),
  name: input.name === undefined ? before.name : cleanName(input.name),
  type: before.type,
})

/** The names of the settings in which two lessons differ. */
export const changedSettings = (before: LessonValues, after: LessonValues): string[] =>
  changedFields(before, picked(after, changeableColumns))
