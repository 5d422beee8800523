import Type, { type Static } from 'typebox'
import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { buildDefaults } from '#src/kit/patch.ts'
import { cleanLine } from '#src/kit/text.ts'
import { lessonSettings, type lessonType } from './schema.ts'

const Settings = Type.Object(lessonSettings)

/** The outline has the maximum number of sections or lessons. */
export const outlineFull = problem(
  409,
  'outline_full',
  'The outline is full',
  'A course has at most 200 sections and 1,000 lessons that are not archived. Archive some, or create another course.',
)

/** The settings of a lesson, without its position. */
export type LessonValues = Readonly<Static<typeof Settings>> & {
  readonly name: string
  readonly type: Static<typeof lessonType>
}

/** The settings of a new lesson that a request leaves out: the defaults of the schema, else null. */
export const NEW_LESSON: Readonly<Static<typeof Settings>> = {
  ...buildDefaults(Settings),
  status: 'draft',
  preview: false,
  required_for_completion: true,
}

/** A section to be stored. */
export type PlannedSection = { readonly id: string; readonly name: string; readonly position: number }

/** A lesson to be stored. */
export type PlannedLesson = LessonValues & {
  readonly id: string
  readonly section_id: string
  readonly position: number
}

/** A name without invisible characters; refuses one that has no visible character. */
export const cleanName = (name: string): string => {
  const clean = cleanLine(name, 200)
  if (clean !== '') return clean
  throw new Refusal(invalidBody, 'The name has no visible character.', {
    errors: [{ pointer: '/name', code: 'empty', message: 'must contain a visible character' }],
  })
}

/** Ids in their order after one of them was moved to a position, the last one unless given. */
export const insertedAt = (ids: readonly string[], id: string, position?: number): string[] => {
  const others = ids.filter(other => other !== id)
  return others.toSpliced(position ?? others.length, 0, id)
}

/** The errors of a new order, which must contain each id once. */
export const errorsOfOrder = (at: string, order: readonly string[], present: readonly string[]): FieldError[] => {
  const seen = new Set<string>()
  const errors = order.flatMap((id, index): FieldError[] => {
    if (!present.includes(id))
      return [{ pointer: `${at}/${index}`, code: 'unknown', message: 'is not one of those that are there' }]
    const isTwice = seen.has(id)
    seen.add(id)
    return isTwice ? [{ pointer: `${at}/${index}`, code: 'twice', message: 'is in the order already' }] : []
  })
  if (errors.length > 0 || seen.size === present.length) return errors
  return [{ pointer: at, code: 'missing', message: `leaves out ${present.length - seen.size} of those that are there` }]
}
