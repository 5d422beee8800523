export { errorsOfMapping } from './errors.ts'
export {
  type ColumnMapping,
  type CustomFieldShape,
  formats,
  type ImportKind,
  importFields,
  type Source,
  sources,
  toCustomField,
  typeOfField,
} from './fields.ts'
export { type AmbiguousColumn, guessMapping, resolveFormats } from './guess.ts'
export { isKnownHeading } from './headings.ts'
export type { MappedLearning, MappedPerson, MappedRow } from './mapped.ts'
export { createRowReader } from './rows.ts'
