import type { Static } from 'typebox'
import { findTemplate, type TemplateRow } from '#src/areas/certificate-templates/index.ts'
import { courseFigures } from '#src/areas/courses/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact, FactHandler } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { cleanLine } from '#src/kit/text.ts'
import {
  type CertificateRow,
  findAwardedCourse,
  findAwardee,
  findCertificate,
  insertCertificate,
  recordIssued,
  schoolNow,
} from './queries.ts'
import { addressesOf, designOf, linesOf, newSerial, showSerial } from './rules.ts'
import type { Certificate } from './schema.ts'

type Where = { readonly db: Db; readonly school: School }
type Looking = { readonly school: School; readonly caller: Caller }

const instant = (at: Date | null): string | null => (at === null ? null : at.toISOString())

// Why it was revoked is told to the person, and to staff who may read people.
const seesReason = ({ caller }: Looking, row: CertificateRow): boolean =>
  caller.member?.id === row.member_id || (isStaff(caller) && caller.scopes.has('members:read'))

/** A certificate as those see it who may. */
export const certificateView = (looking: Looking, row: CertificateRow): Static<typeof Certificate> => {
  const { page, pdf, credential } = addressesOf(looking.school.baseUrl, row.serial)
  const { name } = row
  return {
    id: toId('crt', row.id),
    serial: showSerial(row.serial),
    status: row.status,
    course_id: toId('crs', row.course_id),
    member_id: toId('mem', row.member_id),
    name,
    course_name: row.course_name,
    school_name: row.school_name,
    awarded_on: row.awarded_on,
    hours: row.hours,
    title: row.design.title,
    text:
      name === null
        ? null
        : linesOf({ ...row, name })
            .map(({ text }) => text)
            .join('\n'),
    locale: row.design.locale,
    source: row.source,
    issued_at: row.issued_at.toISOString(),
    revoked_at: instant(row.revoked_at),
    ...(seesReason(looking, row) ? { revocation_reason: row.revocation_reason } : {}),
    replaced_by_id: row.replaced_by_id === null ? null : toId('crt', row.replaced_by_id),
    url: page,
    pdf_url: pdf,
    credential_url: credential,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** What a certificate is made of beside its course. */
export type Award = {
  readonly courseId: string
  readonly memberId: string
  readonly source: CertificateRow['source']
  readonly name: string
  readonly awardedOn?: string | undefined
  readonly hours?: number | null | undefined
  /** Unset: a new one. */
  readonly serial?: string
}

const hoursOf = async ({ db, school }: Where, courseId: string): Promise<number | null> => {
  const answers = await courseFigures.call({ courseIds: [courseId] }, { school, db })
  const seconds = answers.reduce((sum, answer) => sum + (answer.get(courseId)?.duration_seconds ?? 0), 0)
  // A certificate never claims more than the lessons take; under an hour it names no hours.
  return seconds < 3600 ? null : Math.floor(seconds / 3600)
}

/** The look of a certificate, and what is said on it of the course. */
export type Look = Pick<CertificateRow, 'course_name' | 'design' | 'image_file_id'> & { readonly hours: number | null }

/** The look that a template gives. */
export const lookOf = (template: TemplateRow, courseName: string): Look => ({
  course_name: courseName,
  design: designOf(template),
  image_file_id: template.image_file_id,
  hours: template.hours,
})

/** What a certificate of a course looks like now; undefined when the course is gone or has no template. */
export const courseLook = async ({ db, school }: Where, courseId: string): Promise<Look | undefined> => {
  const course = await findAwardedCourse(db, school.id, courseId)
  if (course === undefined || course.certificate_template_id === null) return undefined
  const template = await findTemplate(db, school.id, course.certificate_template_id)
  return template && lookOf(template, course.name)
}

/** Issues a certificate; undefined when the person has one of the course. */
export const issue = async (
  where: Where & { readonly now: Date; readonly id?: string },
  look: Look,
  award: Award,
): Promise<CertificateRow | undefined> => {
  const { db, school, now } = where
  const told = await schoolNow(db, school.id)
  const hours = award.hours === undefined ? (look.hours ?? (await hoursOf(where, award.courseId))) : award.hours
  return insertCertificate(db, school.id, where.id ?? newUuid(now.getTime()), {
    serial: award.serial ?? newSerial(),
    course_id: award.courseId,
    member_id: award.memberId,
    name: award.name,
    course_name: look.course_name,
    school_name: told.name,
    awarded_on: award.awardedOn ?? dayAt(now, told.time_zone),
    hours,
    design: look.design,
    image_file_id: look.image_file_id,
    source: award.source,
  })
}

/** What the facts about a certificate tell. */
export const aboutOf = (row: CertificateRow) => ({
  certificate: toId('crt', row.id),
  course: toId('crs', row.course_id),
  member: toId('mem', row.member_id),
})

/** The refusal of a certificate that is not there. */
export const noCertificate = (): Refusal => new Refusal(notFound, 'There is no such certificate.')

type Said = { readonly name?: string; readonly awarded_on?: string; readonly hours?: number | null }

const FIRST_DAY = '1900-01-01'

/** Refuses what cannot be printed: a day that is to come, or a name that cannot be seen. */
export const checkSaid = async ({ db, school, now }: Where & { readonly now: Date }, said: Said): Promise<void> => {
  const { awarded_on: day, name } = said
  const today = dayAt(now, (await schoolNow(db, school.id)).time_zone)
  refuseInvalid([
    ...(name !== undefined && cleanLine(name, 120) === ''
      ? [{ pointer: '/name', code: 'empty', message: 'has nothing visible' }]
      : []),
    ...(day !== undefined && (day > today || day < FIRST_DAY)
      ? [{ pointer: '/awarded_on', code: 'range', message: `is not a day from ${FIRST_DAY} to today` }]
      : []),
  ])
}

/** What happened when a certificate was issued. */
export const issued = (row: CertificateRow): Fact => ({
  type: 'certificate.issued',
  payload: aboutOf(row),
  effects: {
    mail: {
      en: 'The person is mailed the link to the certificate',
      pt: 'A pessoa recebe por e-mail o link do certificado',
    },
  },
})

/**
 * Issues the certificate of a course that somebody completed, where the course has a template. Told twice it does it
 * once; what was revoked stays so.
 */
export const onCourseCompleted: FactHandler = async ({ payload }, { db, school, now }) => {
  const courseId = fromId('crs', String(payload.course))
  const memberId = fromId('mem', String(payload.member))
  if (courseId === undefined || memberId === undefined) return
  const look = await courseLook({ db, school }, courseId)
  if (look === undefined) return
  const person = await findAwardee(db, school.id, memberId)
  if (person === undefined) return
  const award: Award = { courseId, memberId, name: person.name, source: 'completion' }
  const row = await issue({ db, school, now }, look, award)
  if (row === undefined) return
  const at = now.getTime()
  const certificate = toId('crt', row.id)
  await recordIssued(db, school.id, { ids: [newUuid(at), newUuid(at)], about: aboutOf(row), certificate, at: now })
}

/** Mails the person that their certificate is there; not when it holds no more by then. */
export const onCertificateIssued: FactHandler = async ({ payload }, { db, school, now }) => {
  const row = await findCertificate(db, school.id, fromId('crt', String(payload.certificate)))
  if (row === undefined || row.status !== 'valid') return
  const values = { course: row.course_name, link: addressesOf(school.baseUrl, row.serial).page }
  await recordMail(db, school.id, row.member_id, { kind: 'certificate', values }, now)
}
