import { courseFigures } from '#src/areas/courses/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { newUuid } from '#src/kit/ids.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { type CertificateRow, insertCertificate, schoolNow } from './queries.ts'
import { type Look, newSerial } from './rules.ts'

/** Who is awarded a certificate of which course. */
export type Award = {
  readonly courseId: string
  readonly memberId: string
  readonly source: CertificateRow['source']
  readonly name: string
  readonly awardedOn?: string | undefined
  /** Unset: now. */
  readonly awardedAt?: Date | undefined
  readonly hours?: number | null | undefined
  /** Unset: a random one. */
  readonly serial?: string
}

const readHours = async ({ db, school }: SchoolContext, courseId: string): Promise<number | null> => {
  const answers = await courseFigures.call({ courseIds: [courseId] }, { school, db })
  const seconds = answers.reduce((sum, answer) => sum + (answer.get(courseId)?.duration_seconds ?? 0), 0)
  // Rounded down, so a certificate never claims more hours than the lessons have; less than one is left out.
  return seconds < 3600 ? null : Math.floor(seconds / 3600)
}

/** Issues a certificate; undefined when the person has one of the course. */
export const issue = async (
  context: SchoolContext & { readonly now: Date; readonly id?: string },
  look: Look,
  award: Award,
): Promise<CertificateRow | undefined> => {
  const { db, school, now } = context
  const current = await schoolNow(db, school.id)
  const hours = award.hours === undefined ? (look.hours ?? (await readHours(context, award.courseId))) : award.hours
  return insertCertificate(db, school.id, context.id ?? newUuid(now.getTime()), {
    serial: award.serial ?? newSerial(),
    course_id: award.courseId,
    member_id: award.memberId,
    name: award.name,
    course_name: look.course_name,
    school_name: current.name,
    awarded_on: award.awardedOn ?? dayAt(award.awardedAt ?? now, current.time_zone),
    hours,
    design: look.design,
    image_file_id: look.image_file_id,
    source: award.source,
  })
}
