import Type, { type Static } from 'typebox'
import { Closed, Line, Nullable, OneOf, OptionalLine } from '#src/kit/shapes.ts'

/** The types of fields. */
export const fieldTypes = [
  ...(['text', 'long_text', 'email', 'phone', 'url', 'number', 'date'] as const),
  ...(['choice', 'choices', 'scale', 'file', 'consent', 'hidden'] as const),
] as const

/** What an answer may be limited to: the first three are for texts, the others for files. */
export const fieldPatterns = ['digits', 'letters', 'letters_and_digits', 'images', 'pdf', 'images_and_pdf'] as const

/** The id of a field, which stays the same in every version of the form. */
export const FieldId = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  description: 'The id of the field: small letters, digits and underscores',
})

/** The id of an option of a field. */
const OptionId = Type.String({ pattern: '^[a-z0-9][a-z0-9_]{0,39}$', description: 'The id of the option' })

const FieldOption = Closed('FormFieldOption', { id: OptionId, label: Line(200, 'What people choose') })

const ShowIf = Closed('FormFieldCondition', {
  field_id: FieldId,
  is: Type.String({
    pattern: '^[a-z0-9_.-]{1,40}$',
    description: 'The id of an option, a number of a scale, or `true` for a consent that was given',
  }),
})

/** A field of a form. */
const FormField = Closed('FormField', {
  id: FieldId,
  type: OneOf(fieldTypes, 'What is asked for; a consent is a text that people agree to, which is its label'),
  label: Line(1000, 'The question, or the text that people agree to'),
  help: Type.Optional(OptionalLine(500, 'A sentence below the question')),
  required: Type.Optional(Type.Boolean({ description: 'Whether an answer is needed; false if it is left out' })),
  options: Type.Optional(Type.Array(FieldOption, { maxItems: 200, description: 'For `choice` and `choices`' })),
  min: Type.Optional(
    Nullable(
      Type.Number({
        description: 'The least: characters of a text, a number, how many options, or the start of a scale',
      }),
    ),
  ),
  max: Type.Optional(
    Nullable(
      Type.Number({
        description:
          'The most: characters of a text, a number, how many options, the end of a scale, or megabytes of a file',
      }),
    ),
  ),
  pattern: Type.Optional(
    Nullable(OneOf(fieldPatterns, 'What a text may consist of, or which files are accepted; null for anything')),
  ),
  show_if: Type.Optional(Nullable(ShowIf)),
})

/** The fields of a form, in their order. */
export const FormFields = Type.Array(FormField, { maxItems: 100, description: 'What the form asks, in this order' })

/** A field as it was sent. */
export type FieldInput = Static<typeof FormField>

/** A field with all of its values, as it is stored. */
export type Field = { readonly [Name in keyof FieldInput]-?: Exclude<FieldInput[Name], undefined> }
