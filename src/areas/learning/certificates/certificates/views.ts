import type { Static } from 'typebox'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import type { CertificateRow } from './queries.ts'
import { buildAddresses, listLines, showSerial } from './rules.ts'
import type { Certificate } from './schema.ts'

type ViewedBy = Pick<AsCaller<Caller>, 'school' | 'caller'>

// The reason of a revocation is for the person, and for staff who may read members.
const seesReason = ({ caller }: ViewedBy, row: CertificateRow): boolean =>
  caller.member?.id === row.member_id || (isStaff(caller) && caller.scopes.has('members:read'))

/** A certificate for those who may read it. */
export const certificateView = (as: ViewedBy, row: CertificateRow): Static<typeof Certificate> => {
  const { page, pdf, credential } = buildAddresses(as.school.baseUrl, row.serial)
  const { name } = row
  return {
    id: row.id,
    serial: showSerial(row.serial),
    status: row.status,
    course_id: row.course_id,
    member_id: row.member_id,
    name,
    course_name: row.course_name,
    school_name: row.school_name,
    awarded_on: row.awarded_on,
    hours: row.hours,
    title: row.design.title,
    text:
      name === null
        ? null
        : listLines({ ...row, name })
            .map(({ text }) => text)
            .join('\n'),
    locale: row.design.locale,
    source: row.source,
    issued_at: row.issued_at,
    revoked_at: row.revoked_at,
    ...(seesReason(as, row) ? { revocation_reason: row.revocation_reason } : {}),
    replaced_by_id: row.replaced_by_id,
    url: page,
    pdf_url: pdf,
    credential_url: credential,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
