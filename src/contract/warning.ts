import Type, { type Static } from 'typebox'
import { Closed } from '#src/kit/shapes.ts'

/** A warning about a result that the caller probably did not intend. */
export const Warning = Closed('Warning', {
  code: Type.String({ description: 'What the warning is about; codes are stable' }),
  message: Type.String({ description: 'The warning in words' }),
  ids: Type.Array(Type.String(), { description: 'The resources concerned, at most 100' }),
})

/** The same as a type. */
export type Warning = Static<typeof Warning>

/** The warnings of a response, possibly none. */
export const Warnings = Type.Array(Warning, { description: 'What is probably incomplete or not intended' })

/** A warning about what a resource lacks, if it does. */
export const buildLack = (isLacking: boolean, code: string, message: string): Warning[] =>
  isLacking ? [{ code, message, ids: [] }] : []
