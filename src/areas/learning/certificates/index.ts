import { area } from '#src/contract/area.ts'
import { accountCertificateOperations } from './account.operations.ts'
import { certificateMails } from './certificates/mails.ts'
import { certificateMetrics } from './certificates/metrics.ts'
import { certificateOperations } from './certificates/operations.ts'
import { certificateExists } from './certificates/rules.ts'
import { onCertificateIssued, onCourseCompleted } from './certificates/subscribers.ts'
import { credentialEndpoints } from './credentials/operations.ts'
import { implementations } from './implementations.ts'
import { certificatePage } from './page/operations.ts'

export { courseLook } from './certificates/lookups.ts'
export { CertificatePage } from './certificates/schema.ts'
export { issue } from './certificates/writes.ts'
export { giveUpLostKey, listUnopenableKeys } from './credentials/writes.ts'
export { notPrintable, printTemplate } from './page/operations.ts'

/** Certificates of completed courses: issued, revoked, shown to the public, printed, and signed as credentials. */
export const certificates = area({
  name: 'certificates',
  operations: [...certificateOperations, ...accountCertificateOperations],
  endpoints: parts => [certificatePage(parts), ...credentialEndpoints(parts)],
  hooks: implementations,
  subscribers: { 'enrollment.completed': onCourseCompleted, 'certificate.issued': onCertificateIssued },
  mails: Object.values(certificateMails),
  constraints: { certificates_current: certificateExists },
  metrics: certificateMetrics,
})
