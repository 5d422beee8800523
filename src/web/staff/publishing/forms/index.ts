import type { StaffSection } from '../../section.ts'
import { formEdit } from './edit.ts'
import { formList } from './list.ts'
import { personAnswers } from './person.ts'
import { submissionDetails } from './submission.ts'
import { submissionList } from './submissions.ts'

export { fieldCards } from './fields-part.ts'
export { fieldsIn, rearranged, storedFields, typedFields } from './form.rules.ts'

/** The pages of forms and of what people answered. */
export const schoolForms: readonly StaffSection[] = [
  formList,
  personAnswers,
  formEdit,
  submissionList,
  submissionDetails,
]
