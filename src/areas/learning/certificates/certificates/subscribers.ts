import type { FactHandler } from '#src/contract/fact.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { courseLook } from './lookups.ts'
import { certificateMails } from './mails.ts'
import { findAwardee, findCertificate } from './queries.ts'
import { aboutCertificate, buildAddresses } from './rules.ts'
import { type Award, issue } from './writes.ts'

/**
 * Issues the certificate of a completed course, where the course has a template. It issues one however often the fact
 * is delivered, and none where one was revoked.
 */
export const onCourseCompleted: FactHandler<'enrollment.completed'> = async ({ payload }, { db, school, now }) => {
  const courseId = fromId('crs', payload.course_id)
  const memberId = fromId('mem', payload.member_id)
  if (courseId === undefined || memberId === undefined) return
  const look = await courseLook({ db, school }, courseId)
  if (look === undefined) return
  const person = await findAwardee(db, school.id, memberId)
  if (person === undefined) return
  const { completed_at: at, notify } = payload
  const awardedAt = typeof at === 'string' ? new Date(at) : undefined
  const award: Award = { courseId, memberId, name: person.name, source: 'completion', awardedAt }
  const row = await issue({ db, school, now }, look, award)
  if (row === undefined) return
  await recordWorkerChange(
    db,
    { schoolId: school.id, now, operation: 'createCertificate' },
    { ids: [toId('crt', row.id)], fields: [], revision: 1 },
    [{ type: 'certificate.issued', payload: { ...aboutCertificate(row), ...(notify === false ? { notify } : {}) } }],
  )
}

/** Mails the person that their certificate was issued, unless it is no longer valid by then, or an import is not to be told of. */
export const onCertificateIssued: FactHandler<'certificate.issued'> = async ({ payload }, { db, school, now }) => {
  if (payload.notify === false) return
  const row = await findCertificate(db, school.id, fromId('crt', payload.certificate_id))
  if (row === undefined || row.status !== 'valid') return
  const values = { course: row.course_name, link: buildAddresses(school.siteOrigin, row.serial).page }
  await recordMail(db, school.id, row.member_id, { kind: certificateMails.certificate, values }, now)
}
