import type { EnrollmentOutcome, GroupUndo, ProgressOutcome, ProgressRow } from '#src/areas/learning/index.ts'
import type { MemberOutcome } from '#src/areas/people/index.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import type { TableRow } from '#src/kit/tabular/index.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { Counts } from '../import/schema.ts'
import type { MappedRow } from '../mapping/index.ts'
import type { RowResult, RowStatus } from '../rows/queries.ts'

/** How many rows one transaction handles. */
export const PIECE = 200

// Where a person agreed to news, or did not, as the consent says it.
const CONSENT_SOURCE = 'import'

/** A row of a member in the form of the API, as `decodeMemberRows` takes it. */
export const toMemberRow = ({ person, isNameGuessed }: MappedRow): Record<string, unknown> => {
  const { marketing_consent: consent, joined_at: joinedAt, groups: _, ...values } = person
  return {
    ...values,
    ...(joinedAt === undefined ? {} : { joined_at: instant(joinedAt) }),
    ...(consent === undefined ? {} : { marketing_consent: { granted: consent, source: CONSENT_SOURCE } }),
    ...(isNameGuessed ? { is_name_guessed: true } : {}),
  }
}

// In a file of what people learn, a person has a row for each course and lesson.
const describeLearning = ({ learning }: MappedRow): string =>
  learning === undefined ? '' : `\n${learning.course ?? ''}\n${learning.lesson ?? ''}`

// Of two rows with one name, the second is a duplicate.
const listNames = (row: MappedRow): string[] => {
  const { email, external_id: externalId } = row.person
  const about = describeLearning(row)
  return [
    ...(email === undefined ? [] : [`email ${foldEmail(email)}${about}`]),
    ...(externalId === undefined ? [] : [`external ${externalId}${about}`]),
  ]
}

/** The rows that are about the same as an earlier row, with the first of them; reads the rows once. */
export const findDuplicates = async (
  rows: AsyncIterable<TableRow>,
  read: (row: TableRow) => MappedRow,
): Promise<{ readonly number: number; readonly first: number }[]> => {
  const seen = new Map<string, number>()
  const pairs: { readonly number: number; readonly first: number }[] = []
  for await (const row of rows) {
    const names = listNames(read(row))
    const [first] = names.flatMap(name => seen.get(name) ?? [])
    if (first !== undefined) pairs.push({ number: row.number, first })
    for (const name of names) if (!seen.has(name)) seen.set(name, row.number)
  }
  return pairs
}

/** The error of a row that is about the same as an earlier one. */
export const buildDuplicate = (line: number): FieldError => ({
  pointer: '',
  code: 'duplicate',
  message: `is about the same as line ${line}`,
  values: { line: String(line) },
})

const CHANGED_SINCE: FieldError = {
  pointer: '',
  code: 'changed_since_check',
  message: 'has another result than in the check, since something was changed in between',
}

/** The result of a row in a run, with a notice where the check had another one. */
export const compareWithCheck = (result: RowResult, checked: RowStatus | null): RowResult =>
  checked === null || checked === result.status ? result : { ...result, notices: [...result.notices, CHANGED_SINCE] }

/** Counts with those of more rows. */
export const addCounts = (counts: Counts, results: readonly RowResult[]): Counts => {
  const count = (status: RowStatus): number => results.filter(result => result.status === status).length
  return {
    created: counts.created + count('created'),
    updated: counts.updated + count('updated'),
    unchanged: counts.unchanged + count('unchanged'),
    failed: counts.failed + count('failed'),
    skipped: counts.skipped + count('skipped'),
    notices: counts.notices + results.filter(({ notices }) => notices.length > 0).length,
  }
}

/** The result of a row that failed. */
export const failRow = (
  number: number,
  errors: readonly FieldError[],
  notices: readonly FieldError[] = [],
): RowResult => ({
  number,
  status: 'failed',
  errors,
  notices,
})

/** A row of an enrollment in the form of the API, as `decodeEnrollmentRows` takes it; without a member it names a person. */
export const toEnrollmentRow = (
  { person, learning = {} }: MappedRow,
  memberId: string | undefined,
  courseId: string,
): Record<string, unknown> => {
  const { enrolled_at: startsAt, access_ends_at: endsAt } = learning
  const { email, name, external_id: externalId } = person
  const named = { email, name, ...(externalId === undefined ? {} : { external_id: externalId }) }
  return {
    ...(memberId === undefined ? named : { member_id: toId('mem', memberId) }),
    course_id: toId('crs', courseId),
    ...(startsAt === undefined ? {} : { starts_at: instant(startsAt) }),
    ...(endsAt === undefined ? {} : { ends_at: instant(endsAt) }),
  }
}

/** Whether a row says what somebody completed. */
export const hasProgress = ({ learning = {} }: MappedRow): boolean =>
  learning.lesson !== undefined ||
  learning.percent_complete !== undefined ||
  learning.completed_at !== undefined ||
  learning.is_complete === true

/** What a row says that somebody completed. */
export const toProgressRow = ({ learning = {} }: MappedRow, enrollmentId: string): ProgressRow => {
  const { lesson, percent_complete: percent, completed_at: completedAt } = learning
  return {
    enrollmentId,
    lesson,
    percent,
    isComplete: learning.is_complete === true || completedAt !== undefined,
    at: learning.lesson_completed_at ?? completedAt ?? learning.enrolled_at,
  }
}

type Learned = {
  readonly mapped: MappedRow
  readonly notices: readonly FieldError[]
  /** The member, in the first of their rows in the piece. */
  readonly person: MemberOutcome | undefined
  /** The groups that the member was put into. */
  readonly groups: readonly GroupUndo[]
  readonly memberId: string | undefined
  readonly enrollment: EnrollmentOutcome | undefined
  readonly progress: ProgressOutcome | undefined
  readonly isToInvite: boolean
}

const chooseStatus = ({ person, groups, enrollment, progress }: Learned): RowStatus => {
  const statuses = [enrollment?.status, person?.status]
  if (statuses.includes('created')) return 'created'
  const isUpdated = statuses.includes('updated') || groups.length > 0 || progress?.isChanged === true
  return isUpdated ? 'updated' : 'unchanged'
}

/** The result of a row about a person and what they learn. */
export const buildLearningResult = (learned: Learned): RowResult => {
  const { mapped, notices, person, groups, memberId, enrollment, progress } = learned
  const undo = {
    groups: groups.length === 0 ? undefined : groups,
    member: person?.undo ?? enrollment?.member,
    enrollment: enrollment?.undo,
    progress: progress?.undo,
  }
  return {
    number: mapped.number,
    status: chooseStatus(learned),
    errors: [],
    notices: [...notices, ...(progress?.errors ?? [])],
    member_id: memberId ?? enrollment?.memberId ?? null,
    enrollment_id: enrollment?.enrollmentId ?? null,
    is_disclosed: memberId !== undefined || enrollment?.isDisclosed === true,
    undo: Object.values(undo).some(one => one !== undefined) ? undo : null,
    is_to_invite: learned.isToInvite,
  }
}
