export { answersIn, errorsByField, fileNameOf, inputOf } from './answers.rules.ts'
export { completeField, type FieldsView, fieldsHtml } from './fields.ts'
