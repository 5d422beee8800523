export { answersIn, describeReading, describeReadings, errorsByField, fileNameOf, inputOf } from './answers.rules.ts'
export { completeField, fieldsHtml } from './fields.ts'
