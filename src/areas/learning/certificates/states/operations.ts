import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { checkPrintable, getLockedCertificate } from '../certificates/access.ts'
import { courseLook } from '../certificates/lookups.ts'
import { dropRevocation, findAwardee, markReplaced, storeRevocation } from '../certificates/queries.ts'
import { aboutCertificate, certificateIssued, checkBecomes } from '../certificates/rules.ts'
import { Certificate, CertificateRef, CertificateReplacement, CertificateRevocation } from '../certificates/schema.ts'
import { certificateView } from '../certificates/views.ts'
import { issue } from '../certificates/writes.ts'

const newest = { certificate_id: exampleFrom('crt', 'listCourseCertificates') }
const valid = { certificate_id: exampleFrom('crt', 'listCourseCertificates', { having: { status: 'valid' } }) }

const replaceCertificate = declareFor('staff', 'courses', {
  id: 'replaceCertificate',
  route: 'POST /certificates/:certificate_id/replacements',
  summary: 'Replace a certificate',
  description:
    'Issues a certificate again with the current names and look, for instance after a name was corrected. The replacement has a serial number of its own, and the old serial is shown as replaced.',
  ifMatch: 'honoured',
  params: CertificateRef,
  body: CertificateReplacement,
  returns: Certificate,
  status: 201,
  locationPath: '/certificates',
  fails: [invalidState],
  example: { params: valid, body: {} },
  async handle(context) {
    const { db, school, params, body, now, requireMatch, changed, record } = context
    const old = await getLockedCertificate(context, params.certificate_id)
    await requireMatch(old.revision, () => certificateView(context, old))
    checkBecomes(old.status, 'replaced')
    await checkPrintable(context, body)
    const person = await findAwardee(db, school.id, old.member_id)
    // The old look stays if the course was deleted or has no template any more.
    const look = (await courseLook(context, old.course_id)) ?? old
    const rowId = newUuid(now.getTime())
    await markReplaced(db, school.id, old.id, rowId)
    const row = await issue({ db, school, now, id: rowId }, look, {
      courseId: old.course_id,
      memberId: old.member_id,
      name: cleanLine(body.name ?? person?.name ?? old.name ?? '', 120),
      awardedOn: body.awarded_on ?? old.awarded_on,
      hours: body.hours === undefined ? old.hours : body.hours,
      source: old.source,
    })
    if (row === undefined) throw new Error('another certificate was issued while the old one was replaced')
    const id = toId('crt', row.id)
    changed({
      ids: [id, toId('crt', old.id)],
      fields: Object.keys(body),
      revision: row.revision,
      memberId: row.member_id,
    })
    record({ type: 'certificate.replaced', payload: { ...aboutCertificate(old), replaced_by_id: id } })
    record(certificateIssued(row))
    return certificateView(context, row)
  },
})

const revokeCertificate = declareFor('staff', 'courses', {
  id: 'revokeCertificate',
  route: 'PUT /certificates/:certificate_id/revocation',
  summary: 'Revoke a certificate',
  description: 'Revokes a certificate. Its public page and the Open Badge credential say so from now on.',
  ifMatch: 'honoured',
  params: CertificateRef,
  body: CertificateRevocation,
  returns: Certificate,
  fails: [invalidState],
  example: { params: valid, body: { reason: 'Issued to the wrong person' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const row = await getLockedCertificate(context, params.certificate_id)
    await requireMatch(row.revision, () => certificateView(context, row))
    const reason = body.reason === undefined ? null : cleanLine(body.reason, 200)
    if (row.status === 'revoked' && row.revocation_reason === reason) return certificateView(context, row)
    if (row.status !== 'revoked') checkBecomes(row.status, 'revoked')
    const stored = await storeRevocation(db, school.id, row.id, reason)
    const fields = row.status === 'revoked' ? ['revocation_reason'] : ['status', 'revocation_reason']
    changed({ ids: [toId('crt', row.id)], fields, revision: stored.revision, memberId: row.member_id })
    if (row.status !== 'revoked') record({ type: 'certificate.revoked', payload: aboutCertificate(row) })
    return certificateView(context, stored)
  },
})

const restoreCertificate = declareFor('staff', 'courses', {
  id: 'restoreCertificate',
  route: 'DELETE /certificates/:certificate_id/revocation',
  summary: 'Restore a certificate',
  description: 'Takes back the revocation of a certificate.',
  ifMatch: 'honoured',
  params: CertificateRef,
  returns: Certificate,
  fails: [invalidState],
  example: { params: newest },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await getLockedCertificate(context, params.certificate_id)
    await requireMatch(row.revision, () => certificateView(context, row))
    if (row.status === 'valid') return certificateView(context, row)
    checkBecomes(row.status, 'valid')
    const stored = await dropRevocation(db, school.id, row.id)
    changed({ ids: [toId('crt', row.id)], fields: ['status'], revision: stored.revision, memberId: row.member_id })
    record({ type: 'certificate.restored', payload: aboutCertificate(row) })
    return certificateView(context, stored)
  },
})

/** Operations on the status of a certificate, in the order of the documentation. */
export const stateOperations = [replaceCertificate, revokeCertificate, restoreCertificate]
