import { CourseRef, getCourse } from '#src/areas/courses/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type Cells, declareFor, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { stateOperations } from '../states/operations.ts'
import { checkPrintable, getManagedCertificate, getManagedCourse, noCertificate } from './access.ts'
import { courseLook } from './lookups.ts'
import { type CertificateFilter, type CertificateRow, certificateList, findAwardee, findBySerial } from './queries.ts'
import {
  buildAddresses,
  certificateExists,
  certificateIssued,
  mayBecome,
  noCertificateTemplate,
  readSerial,
  showSerial,
} from './rules.ts'
import {
  Certificate,
  CertificatePage,
  CertificateRef,
  CertificatesQuery,
  CertificateVerification,
  NewCertificate,
  SerialRef,
} from './schema.ts'
import { certificateView } from './views.ts'
import { issue } from './writes.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }
const newest = { certificate_id: exampleFrom('crt', 'listCourseCertificates') }

const CELLS: Cells<CertificateRow> = {
  id: row => row.id,
  serial: row => showSerial(row.serial),
  status: row => row.status,
  member_id: row => row.member_id,
  name: row => row.name,
  course_name: row => row.course_name,
  awarded_on: row => row.awarded_on,
  issued_at: row => row.issued_at,
  revoked_at: row => row.revoked_at,
  url: (row, school) => buildAddresses(school.baseUrl, row.serial).page,
}

type ListFilter = { readonly status?: CertificateRow['status']; readonly member_id?: string }

const readFilter = (courseId: string, query: ListFilter): CertificateFilter => ({
  courseId,
  status: query.status,
  memberId: query.member_id,
})

const listCourseCertificates = declareFor('lecturer_of', 'courses', {
  id: 'listCourseCertificates',
  route: 'GET /courses/:course_id/certificates',
  summary: "List a course's certificates",
  description: 'Lists the certificates issued for a course, newest first.',
  params: CourseRef,
  query: CertificatesQuery,
  returns: CertificatePage,
  csv: {
    cells: CELLS,
    statement: async context => {
      const course = await getManagedCourse(context, context.params.course_id)
      const filter = readFilter(course.id, context.query)
      return listStatement(certificateList(context.school.id, filter))
    },
  },
  example: { params: sourdough },
  async handle(context) {
    const { school, params, query } = context
    const course = await getManagedCourse(context, params.course_id)
    const list = certificateList(school.id, readFilter(course.id, query))
    return readList(context, list, rows => rows.map(row => certificateView(context, row)))
  },
})

// By status and role; dry_run shows what other rows forbid.
const listActions = (caller: Caller, row: CertificateRow): string[] => [
  'getCertificate',
  ...(isStaff(caller) && mayBecome(row.status, 'revoked') ? ['revokeCertificate'] : []),
  // Revoking again corrects the reason.
  ...(isStaff(caller) && row.status === 'revoked' ? ['revokeCertificate', 'restoreCertificate'] : []),
  ...(isStaff(caller) && mayBecome(row.status, 'replaced') ? ['replaceCertificate'] : []),
]

const getCertificate = declareFor('lecturer_of', 'courses', {
  id: 'getCertificate',
  route: 'GET /certificates/:certificate_id',
  summary: 'Get a certificate',
  description: 'Returns one certificate. Staff read all certificates, lecturers those of the courses they teach.',
  params: CertificateRef,
  returns: Certificate,
  example: { params: newest },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const row = await getManagedCertificate(context, params.certificate_id)
    return { ...certificateView(context, row), allowed_actions: allowedActions(listActions(caller, row)) }
  },
})

const createCertificate = declareFor('staff', 'courses', {
  id: 'createCertificate',
  route: 'POST /courses/:course_id/certificates',
  summary: 'Issue a certificate',
  description:
    'Issues a certificate of a course to a member and sends them its link by e-mail. Completing a course issues one automatically. The certificate keeps the names, the date and the look of the moment it was issued.',
  params: CourseRef,
  body: NewCertificate,
  returns: Certificate,
  status: 201,
  fails: [certificateExists, noCertificateTemplate],
  example: {
    params: sourdough,
    body: { member_id: exampleFrom('mem', 'listMembers', { having: { email: 'eli@crumb.example' } }) },
  },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const course = await getCourse(context, params.course_id)
    await checkPrintable(context, body)
    const memberId = body.member_id
    const person = await findAwardee(db, school.id, memberId)
    if (person === undefined) refuseInvalid([{ pointer: '/member_id', code: 'unknown', message: 'is not a member' }])
    const look = await courseLook(context, course.id)
    if (look === undefined) throw new Refusal(noCertificateTemplate, 'The course has no certificate template.')
    const row = await issue({ db, school, now }, look, {
      courseId: course.id,
      memberId,
      name: cleanLine(body.name ?? person?.name ?? '', 120),
      awardedOn: body.awarded_on,
      hours: body.hours,
      source: 'staff',
    })
    if (row === undefined) throw new Refusal(certificateExists, 'The person has a certificate of this course.')
    changed({ ids: [toId('crt', row.id)], fields: Object.keys(body), revision: row.revision, memberId })
    record(certificateIssued(row))
    return certificateView(context, row)
  },
})

const verifyCertificate = operation({
  id: 'verifyCertificate',
  route: 'GET /certificates/:serial/verification',
  summary: 'Verify a certificate',
  description:
    'Returns whether the certificate with this serial number is valid, and what it certifies. The page /certificates/{serial} of the school shows the same to people.',
  scope: 'none',
  section: 'courses',
  who: 'anyone',
  mode: 'read',
  params: SerialRef,
  returns: CertificateVerification,
  example: { params: { serial: 'BAKED-WARM0-BREAD-DEM00' } },
  async handle({ db, school, params }) {
    const row = await findBySerial(db, school.id, readSerial(params.serial))
    if (row === undefined) throw noCertificate()
    return {
      serial: showSerial(row.serial),
      status: row.status,
      name: row.name,
      course_name: row.course_name,
      school_name: row.school_name,
      awarded_on: row.awarded_on,
      issued_at: row.issued_at,
      revoked_at: row.revoked_at,
      url: buildAddresses(school.baseUrl, row.serial).page,
    }
  },
})

/** The operations of certificates, in the order of the documentation. */
export const certificateOperations = [
  listCourseCertificates,
  createCertificate,
  getCertificate,
  ...stateOperations,
  verifyCertificate,
]
