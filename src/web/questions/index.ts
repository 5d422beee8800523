export {
  answersIn,
  describeReading,
  describeReadings,
  errorsByField,
  nameFileInput,
  nameInput,
} from './answers.rules.ts'
export { completeField, fieldsHtml } from './fields.ts'
