import type { TemplateRow } from '#src/areas/courses/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { base32 } from '#src/kit/base.ts'
import { type Random, systemRandom } from '#src/kit/crypto.ts'
import { formatDate, formatNumber } from '#src/kit/format.ts'
import { toId } from '#src/kit/ids.ts'
import { plainCode } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { CertificateRow, Design } from './queries.ts'

/** The status of a certificate. */
export type Status = CertificateRow['status']

/** The person has a certificate of the course. */
export const certificateExists = problem(
  409,
  'certificate_exists',
  'The person has a certificate of this course',
  'A person has one certificate of a course at a time. Replace it if something in it was wrong, or restore it if the revocation was.',
)

/** The course has no template. */
export const noCertificateTemplate = problem(
  409,
  'no_certificate_template',
  'The course has no certificate template',
  'A certificate looks as the template of its course says. Set certificate_template_id of the course first.',
)

// Decision 56. Erasing the person leaves a withdrawn certificate.
const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  valid: ['revoked', 'replaced'],
  revoked: ['valid'],
  replaced: [],
  withdrawn: [],
}

/** Whether a certificate may go from one status to another. */
export const mayBecome = (from: Status, to: Status): boolean => MOVES[from].includes(to)

/** Refuses a change of status that is not allowed. */
export const checkBecomes = (from: Status, to: Status): void => {
  if (!mayBecome(from, to)) throw new Refusal(invalidState, `The certificate is ${from}, which does not become ${to}.`)
}

const LENGTH = 20

/** A new serial: 100 random bits as 20 characters without I, L, O and U. */
export const newSerial = (random: Random = systemRandom): string => base32(random(13), LENGTH).toUpperCase()

/** The serial that somebody typed: case, spaces and hyphens do not matter, nor what is easily mistaken. */
export const readSerial = (text: string): string | undefined => {
  const read = plainCode(text).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return new RegExp(`^[0-9A-HJKMNP-TV-Z]{${LENGTH}}$`).test(read) ? read : undefined
}

/** A serial as people read it. */
export const showSerial = (serial: string): string => serial.match(/.{5}/g)?.join('-') ?? serial

/** The fields of a template that a certificate keeps. */
const buildDesign = (template: TemplateRow): Design => ({
  design: template.design,
  title: template.title,
  body: template.body,
  locale: template.locale,
  colors: { accent: template.accent_color, text: template.text_color, background: template.background_color },
  orientation: template.orientation,
  page_size: template.page_size,
  signature_name: template.signature_name,
  signature_role: template.signature_role,
})

type Printed = Pick<CertificateRow, 'course_name' | 'school_name' | 'awarded_on' | 'hours' | 'design'>

/** One line of a certificate; a name that is alone on its line is printed large. */
type CertificateLine = { readonly text: string; readonly alone: 'name' | 'course' | undefined }

const aloneOn = (line: string): CertificateLine['alone'] => {
  const only = /^\{(name|course)\}$/.exec(line.trim())?.[1]
  return only === 'name' || only === 'course' ? only : undefined
}

/** What a certificate says, line by line. */
export const listLines = (row: Printed & { readonly name: string }): CertificateLine[] => {
  const { design } = row
  const values: Readonly<Record<string, string>> = {
    name: row.name,
    course: row.course_name,
    school: row.school_name,
    date: formatDate(row.awarded_on, design.locale),
    hours: row.hours === null ? '–' : formatNumber(row.hours, design.locale),
  }
  return design.body.split('\n').map(line => ({
    // A function, since a name may hold what a replacement text would mean.
    text: line.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
    alone: aloneOn(line),
  }))
}

/** The addresses of a certificate. */
export const buildAddresses = (baseUrl: string, serial: string) => {
  const page = `${baseUrl}/certificates/${showSerial(serial)}`
  return { page, pdf: `${page}.pdf`, credential: `${page}/credential`, status: `${page}/status` }
}

/** The design of a certificate, with what it says about the course. */
export type Look = Pick<CertificateRow, 'course_name' | 'design' | 'image_file_id'> & { readonly hours: number | null }

/** The look of certificates with a template. */
export const buildLook = (template: TemplateRow, courseName: string): Look => ({
  course_name: courseName,
  design: buildDesign(template),
  image_file_id: template.image_file_id,
  hours: template.hours,
})

/** The payload of facts about a certificate: ids alone. */
export const aboutCertificate = (row: CertificateRow) => ({
  certificate_id: toId('crt', row.id),
  course_id: toId('crs', row.course_id),
  member_id: toId('mem', row.member_id),
})

/** The fact that a certificate was issued. */
export const certificateIssued = (row: CertificateRow): Fact => ({
  type: 'certificate.issued',
  payload: aboutCertificate(row),
  effects: texts.learning.certificates.rules.certificateIssued.effects,
})
