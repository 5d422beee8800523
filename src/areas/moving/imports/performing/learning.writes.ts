// One thing: what rows say of people and of what they learn, stored together.
import { listCoursesNamed } from '#src/areas/courses/index.ts'
import {
  coursesFor,
  decodeEnrollmentRows,
  type EnrollmentOutcome,
  importEnrollments,
  importProgress,
  type ProgressOutcome,
} from '#src/areas/learning/index.ts'
import type { MemberOutcome } from '#src/areas/people/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { ImportRow } from '../import/queries.ts'
import type { MappedRow } from '../mapping/index.ts'
import type { RowResult } from '../rows/queries.ts'
import { findNamed, splitNames } from './courses.rules.ts'
import {
  isToInvite,
  type Joined,
  listNotices,
  NOTHING,
  storeGroups,
  storePeople,
  type Writing,
} from './people.writes.ts'
import { buildLearningResult, failRow, hasProgress, toEnrollmentRow, toProgressRow } from './rules.ts'

/** A row of which so much is known, or its result. */
type Step = {
  readonly mapped: MappedRow
  readonly courseId?: string
  readonly person?: MemberOutcome
  readonly isFirstOfPerson?: boolean
  readonly joined?: Joined
  readonly enrollment?: EnrollmentOutcome
  readonly progress?: ProgressOutcome
  readonly result?: RowResult
}

const fail = (step: Step, errors: readonly FieldError[]): Step => ({
  ...step,
  result: failRow(step.mapped.number, errors),
})

const courseError = (code: string, message: string): FieldError => ({ pointer: '/course', code, message })

const OVER: FieldError = {
  pointer: '/status',
  code: 'enrollment_over',
  message: 'says that the enrollment is over, so nothing was done',
}

// A lecturer is not told which other courses the school has.
const listNameable = async (context: Writing, names: readonly string[]) => {
  const { db, school, caller } = context
  const courses = names.length === 0 ? [] : await listCoursesNamed(db, school.id, splitNames(names))
  if (isStaff(caller)) return courses
  const own = new Set(
    await coursesFor(
      context,
      courses.map(({ id }) => id),
    ),
  )
  return courses.filter(({ id }) => own.has(id))
}

// Courses are found once for all rows of the piece.
const findCourses = async (context: Writing, row: ImportRow, steps: readonly Step[]): Promise<Step[]> => {
  const names = [...new Set(steps.flatMap(({ mapped }) => mapped.learning?.course ?? []))]
  const courses = await listNameable(context, names)
  return steps.map(step => {
    const { learning = {} } = step.mapped
    if (learning.is_over)
      return { ...step, result: { number: step.mapped.number, status: 'skipped', errors: [], notices: [OVER] } }
    if (learning.course === undefined) {
      const { course_id: courseId } = row.options
      return courseId === null ? fail(step, [courseError('required', 'is required')]) : { ...step, courseId }
    }
    const found = findNamed(learning.course, courses)
    if (found === 'several') return fail(step, [courseError('ambiguous', 'is the name of several courses')])
    if (found === undefined) return fail(step, [courseError('unknown', 'is not a course you may enroll in')])
    return { ...step, courseId: found.id }
  })
}

/** The results of rows whose courses may be used, as if everybody in them were new. */
export const checkLearning = async (
  context: Writing,
  row: ImportRow,
  rows: readonly MappedRow[],
): Promise<RowResult[]> => {
  const steps = await findCourses(
    context,
    row,
    rows.map(mapped => ({ mapped })),
  )
  return steps.map(
    ({ mapped, result }) => result ?? { number: mapped.number, status: 'created', errors: [], notices: [] },
  )
}

const isOpen = ({ result }: Step): boolean => result === undefined

const namePerson = ({ mapped }: Step): string => foldEmail(mapped.person.email ?? '')

// Somebody who has several rows is stored by the first of them.
const storeOnce = async (context: Writing, row: ImportRow, steps: readonly Step[]): Promise<Step[]> => {
  if (!isStaff(context.caller)) return [...steps]
  const first = new Map<string, Step>()
  for (const step of steps) if (isOpen(step) && !first.has(namePerson(step))) first.set(namePerson(step), step)
  const stored = [...first.values()]
  const outcomes = await storePeople(
    context,
    row,
    stored.map(({ mapped }) => mapped),
  )
  const joined = await storeGroups(
    context,
    row,
    stored.map(({ mapped }) => mapped),
    outcomes,
  )
  const byPerson = new Map(stored.map((step, at) => [namePerson(step), outcomes[at]]))
  return steps.map(step => {
    const person = isOpen(step) ? byPerson.get(namePerson(step)) : undefined
    if (person === undefined) return step
    if (person.status === 'failed') return fail(step, person.errors ?? [])
    const isFirstOfPerson = first.get(namePerson(step)) === step
    return { ...step, person, isFirstOfPerson, joined: joined.get(step.mapped.number) ?? NOTHING }
  })
}

const namePair = (step: Step): string => `${step.person?.id ?? namePerson(step)} ${step.courseId}`

const enrollOnce = async (context: Writing, row: ImportRow, steps: readonly Step[]): Promise<Step[]> => {
  const first = new Map<string, Step>()
  for (const step of steps) if (isOpen(step) && !first.has(namePair(step))) first.set(namePair(step), step)
  const enrolled = [...first.values()]
  const rows = enrolled.map(({ mapped, person, courseId = '' }) => toEnrollmentRow(mapped, person?.id, courseId))
  const outcomes = await importEnrollments(context, decodeEnrollmentRows(rows), {
    source: 'import',
    keepsStart: true,
    notify: row.options.notify,
    invites: false,
  })
  const byPair = new Map(enrolled.map((step, at) => [namePair(step), outcomes[at]]))
  return steps.map(step => {
    const enrollment = isOpen(step) ? byPair.get(namePair(step)) : undefined
    if (enrollment === undefined) return step
    if (enrollment.status === 'failed') return fail(step, enrollment.errors ?? [])
    // What was done to the person and the enrollment is undone with the first row.
    return first.get(namePair(step)) === step
      ? { ...step, enrollment }
      : { ...step, enrollment: { ...withoutUndo(enrollment), status: 'unchanged' } }
  })
}

const withoutUndo = ({ undo: _, member: _member, ...outcome }: EnrollmentOutcome): EnrollmentOutcome => outcome

const storeProgress = async (context: Writing, row: ImportRow, steps: readonly Step[]): Promise<Step[]> => {
  const learned = steps.filter(step => isOpen(step) && hasProgress(step.mapped) && step.enrollment?.enrollmentId)
  if (learned.length === 0) return [...steps]
  const outcomes = await importProgress(
    context,
    learned.map(({ mapped, enrollment }) => toProgressRow(mapped, enrollment?.enrollmentId ?? '')),
    { issueCertificates: row.options.issue_certificates, notify: row.options.notify },
  )
  const byStep = new Map(learned.map((step, at) => [step, outcomes[at]]))
  return steps.map(step => {
    const progress = byStep.get(step)
    return progress === undefined ? step : { ...step, progress }
  })
}

const PERSON_STORED: FieldError = {
  pointer: '',
  code: 'person_stored',
  message: 'says who the person is, which was stored, although they were not enrolled',
}

// What was done to somebody before their enrollment failed is undone with the row.
const keepPerson = (result: RowResult, person: MemberOutcome | undefined, { undos }: Joined): RowResult =>
  person?.undo === undefined && undos.length === 0
    ? result
    : {
        ...result,
        notices: [...result.notices, PERSON_STORED],
        member_id: person?.id ?? null,
        undo: { member: person?.undo, groups: undos },
      }

const buildResult = (row: ImportRow, step: Step): RowResult => {
  const { mapped, person, isFirstOfPerson = true, joined = NOTHING, enrollment, progress, result } = step
  const own = isFirstOfPerson ? person : undefined
  if (result !== undefined) return keepPerson(result, own, joined)
  return buildLearningResult({
    mapped,
    notices: [...(own === undefined ? [] : listNotices(mapped, own)), ...joined.notices],
    groups: joined.undos,
    person: own,
    memberId: person?.id,
    enrollment,
    progress,
    isToInvite:
      own === undefined ? row.options.send_invitations && enrollment?.member !== undefined : isToInvite(row, own),
  })
}

/** Imports rows of people with the courses that they may use and what they completed; returns their results in order. */
export const importLearning = async (
  context: Writing,
  row: ImportRow,
  rows: readonly MappedRow[],
): Promise<RowResult[]> => {
  const found = await findCourses(
    context,
    row,
    rows.map(mapped => ({ mapped })),
  )
  const stored = await storeOnce(context, row, found)
  const enrolled = await enrollOnce(context, row, stored)
  return (await storeProgress(context, row, enrolled)).map(step => buildResult(row, step))
}
