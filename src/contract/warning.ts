import Type, { type Static } from 'typebox'

/** Something that was done as asked, but that the caller probably did not intend. */
export const Warning = Type.Object(
  {
    code: Type.String({ description: 'What the warning is about; codes do not change' }),
    message: Type.String({ description: 'The same in words' }),
    ids: Type.Array(Type.String(), { description: 'The resources concerned, at most 100' }),
  },
  { additionalProperties: false, title: 'Warning' },
)

/** The same as a type. */
export type Warning = Static<typeof Warning>

/** The warnings of a response; empty where nothing is missing. */
export const Warnings = Type.Array(Warning, { description: 'What was done as asked, but is probably incomplete' })
