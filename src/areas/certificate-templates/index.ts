import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { templateOperations } from './operations.ts'

export { addTemplate, faultsOfCourseTemplate } from './actions.ts'
export { findTemplate, type TemplateRow } from './queries.ts'

/** How the certificates of courses look. */
export const certificateTemplates = area({
  name: 'certificate-templates',
  operations: templateOperations,
  hooks: implementations,
})
