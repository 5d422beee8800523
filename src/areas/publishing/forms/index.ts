import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { formOperations } from './form/operations.ts'
import { implementations } from './implementations.ts'
import { versionOperations } from './versions/operations.ts'

export { buildScale, completedField, errorsOfFields, MAX_FILE_MB, MAX_TEXT } from './fields/rules.ts'
export { type Field, FieldId, FormFields, fieldPatterns, fieldTypes } from './fields/schema.ts'
export { getForm, lockForm, noForm } from './form/access.ts'
export { enquiry } from './form/operations.ts'
export { countForms, type FormRow, findForm, isGroup, storeContent, storePublication } from './form/queries.ts'
export { changedForm, computeState, newForm, pickContent } from './form/rules.ts'
export { Form, FormExport, FormPage, FormRef } from './form/schema.ts'
export { addForm, type NewForm } from './form/writes.ts'
export { submissionCounts, submissionsDeletion } from './hooks.ts'
export { addPending, takeDigest } from './pending/queries.ts'
export { type AnswerableVersion, findAnswerable, listPublishedFields } from './versions/queries.ts'

/** Forms that staff make and anybody answers, in versions. */
export const forms = area({
  name: 'forms',
  operations: [...formOperations, ...versionOperations],
  hooks: implementations,
  constraints: { forms_slug: slugTaken },
})
