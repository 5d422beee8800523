import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { FieldId, fieldTypes } from '#src/areas/publishing/forms/index.ts'
import { Closed, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

const Given = Type.Union(
  [
    Type.String({ maxLength: 10_000 }),
    Type.Number(),
    Type.Boolean(),
    Type.Array(Type.String({ maxLength: 40 }), { maxItems: 200 }),
  ],
  {
    description:
      'A text, a number, a day, the id of an option, a list of such ids, the number of a scale, the `file_id` of an upload, or true for a consent',
  },
)

/** The answers of a submission; a field has one answer. */
export const Answers = Type.Array(Closed('FormAnswerInput', { field_id: FieldId, value: Given }), {
  maxItems: 100,
  description: 'The answers; fields that are left out have none',
})

/** An answer as it was sent. */
export type AnswerInput = Static<typeof Answers>[number]

/** An answer as it is stored: a file by the id of its row. */
export type StoredAnswer = {
  readonly field_id: string
  readonly type: (typeof fieldTypes)[number]
  readonly value: string | number | boolean | readonly string[]
  /** The text that was agreed to. */
  readonly text?: string
}

/** An answer as it is shown. */
export const FormAnswer = Closed('FormAnswer', {
  field_id: FieldId,
  type: OneOf(fieldTypes, 'The type of the field'),
  value: Personal(
    Nullable(
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())], {
        description: 'The answer; of a choice the ids of options, and null for a file, which is in `file`',
      }),
    ),
  ),
  text: Type.Optional(Type.String({ description: 'The text of the consent that was agreed to' })),
  file: Type.Optional(Nullable(FileView)),
})
