export { answersIn, describeReading, describeReadings, errorsByField, fileNameOf, inputOf } from './answers.rules.ts'
export { completeField, type FieldsView, fieldsHtml } from './fields.ts'
