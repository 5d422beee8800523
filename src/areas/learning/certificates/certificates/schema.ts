import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Day, Id, Instant, Line, Nullable, OneOf, Personal, Recorded, Ref } from '#src/kit/shapes.ts'

/** The status of a certificate; withdrawn: the person was erased, and their name with them. */
const statuses = ['valid', 'revoked', 'replaced', 'withdrawn'] as const

const Serial = Type.String({
  description: 'The serial number with which anyone can verify it: four groups of five characters',
})
const Name = Nullable(Type.String({ description: 'The name as printed; null once the person was erased' }))
const url = (description: string) => Type.String({ description })

/** What says that a person completed a course, as it was printed. */
export const Certificate = Closed('Certificate', {
  id: Id('crt'),
  serial: Serial,
  status: OneOf(statuses, 'Whether it is valid'),
  course_id: Id('crs'),
  member_id: Id('mem'),
  name: Name,
  course_name: Type.String({ description: 'The name of the course as printed' }),
  school_name: Type.String({ description: 'The name of the school as printed' }),
  awarded_on: Day,
  hours: Nullable(Type.Integer({ description: 'The hours on the certificate' })),
  title: Type.String(),
  text: Nullable(Type.String({ description: 'What it says; null once the person was erased' })),
  locale: Type.String({ description: 'The language it was printed in' }),
  source: OneOf(['completion', 'staff'], 'Whether completing the course issued it, or the staff'),
  issued_at: Instant,
  revoked_at: Nullable(Instant),
  revocation_reason: Type.Optional(Nullable(Personal(Type.String({ description: 'Why it was revoked' })))),
  replaced_by_id: Nullable(Id('crt')),
  url: url('The page on which anyone can verify it'),
  pdf_url: url('The certificate as a PDF'),
  credential_url: url('The certificate as an Open Badge 3.0, signed by the school'),
  ...Recorded,
})

const CertificateName = Line(120, 'The name to print; by default that of the person')
const Hours = Nullable(Type.Integer({ minimum: 1, maximum: 100_000, description: 'The hours to print' }))

/** A certificate that staff award. */
export const NewCertificate = Closed('NewCertificate', {
  member_id: Id('mem'),
  name: Type.Optional(CertificateName),
  awarded_on: Type.Optional(Day),
  hours: Type.Optional(Hours),
})

/** The values of a replacement that differ from the replaced certificate. */
export const CertificateReplacement = Closed('CertificateReplacement', {
  name: Type.Optional(CertificateName),
  awarded_on: Type.Optional(Day),
  hours: Type.Optional(Hours),
})

/** Why a certificate is revoked. */
export const CertificateRevocation = Closed('CertificateRevocation', {
  reason: Type.Optional(Line(200, 'The reason; shown to the person and to staff who may read members')),
})

/** What a certificate is named by in a path. */
export const CertificateRef = Type.Object({ certificate_id: Ref('crt') })

/** What one's own certificate is named by in a path. */
export const OwnCertificateRef = Type.Object({
  certificate_id: Type.String({ minLength: 1, maxLength: 40, description: 'An id (crt_…), or the serial' }),
})

/** What anybody looks a certificate up by. */
export const SerialRef = Type.Object({
  serial: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'The serial; case, spaces and hyphens do not matter, O counts as 0, I and L as 1',
  }),
})

/** The query of a list of the certificates of a course. */
export const CertificatesQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(statuses, 'Only this status')),
  member_id: Type.Optional(Id('mem')),
})

/** The query of a list of one's own certificates. */
export const OwnCertificatesQuery = Type.Object({ ...PageQuery })

/** One page of certificates. */
export const CertificatePage = PageOf(Certificate, 'CertificatePage')

/** A certificate as shown to anyone with its serial number. */
export const CertificateVerification = Closed('CertificateVerification', {
  serial: Serial,
  status: OneOf(statuses, 'Whether it is valid'),
  name: Name,
  course_name: Type.String(),
  school_name: Type.String(),
  awarded_on: Day,
  issued_at: Instant,
  revoked_at: Nullable(Instant),
  url: url('The page that says the same'),
})
