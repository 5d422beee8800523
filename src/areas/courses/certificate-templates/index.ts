import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { templateOperations } from './operations.ts'

export { errorsOfCourseTemplate } from './access.ts'
export { isTaughtWith, templateDeletion } from './hooks.ts'
export { findTemplate, type TemplateRow } from './queries.ts'
export { CertificateTemplate, CertificateTemplatePage } from './schema.ts'
export { addTemplate } from './writes.ts'

/** How the certificates of courses look. */
export const certificateTemplates = area({
  name: 'certificate-templates',
  operations: templateOperations,
  hooks: implementations,
})
