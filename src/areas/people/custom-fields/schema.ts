import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Line, OneOf, Recorded } from '#src/kit/shapes.ts'
import { fieldTypes, MAX_FIELDS, MAX_OPTION_LENGTH } from './rules.ts'

const Key = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  description: 'The key of the value in custom_fields; it cannot be changed',
})

const FieldType = OneOf(fieldTypes, 'The type of the values; it cannot be changed')

/** What can be changed of a custom field. */
const FieldSettings = Type.Object({
  label: Line(120, 'What people call the field'),
  options: Type.Array(Line(MAX_OPTION_LENGTH, 'One value'), {
    maxItems: 100,
    description: 'The values of a choice, in their order; empty for the other types',
  }),
})

/** A field that a school adds to its members. */
export const CustomField = Closed('CustomField', {
  id: Id('cfd'),
  key: Key,
  ...FieldSettings.properties,
  type: FieldType,
  position: Type.Integer({
    minimum: 0,
    description: 'Its place among the fields; changed by PUT /custom-fields/order',
  }),
  ...Recorded,
})

/** A new custom field, which becomes the last. */
export const NewField = Closed('NewCustomField', {
  key: Key,
  label: FieldSettings.properties.label,
  type: FieldType,
  options: Type.Optional(FieldSettings.properties.options),
})

/** A change of a custom field. */
export const FieldChanges = MergePatch(FieldSettings, 'CustomFieldChanges')

/** One page of the custom fields. */
export const FieldPage = PageOf(CustomField, 'CustomFieldPage')

/** The query parameters of the list of custom fields. */
export const FieldQuery = Type.Object({ ...PageQuery })

/** The order the fields are to have. */
export const FieldOrder = Closed('CustomFieldOrder', {
  ids: Type.Array(Id('cfd'), { maxItems: MAX_FIELDS, description: 'Every custom field, each once, in their order' }),
})

/** The fields in their order. */
export const OrderedFields = Closed('OrderedCustomFields', { data: Type.Array(CustomField) })

/** A custom field in a path. */
export const FieldRef = Type.Object({ field_id: Id('cfd') })

/** A custom field as a caller sees it. */
export type FieldView = Static<typeof CustomField>
