import type { FieldError } from '#src/contract/problem.ts'
import { instant } from '#src/kit/instant.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { Counts, FindingCount } from '../import/schema.ts'
import type { MappedRow } from '../mapping/index.ts'
import type { RowResult, RowStatus, StoredRow } from '../rows/queries.ts'

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

/** What a row is about; of two rows with one name, the second is a duplicate. */
export const listNames = (row: MappedRow): string[] => {
  const { email, external_id: externalId } = row.person
  const about = describeLearning(row)
  return [
    ...(email === undefined ? [] : [`email ${foldEmail(email)}${about}`]),
    ...(externalId === undefined ? [] : [`external ${externalId}${about}`]),
  ]
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
  checked === null || checked === result.status
    ? result
    : { ...result, notices: [...result.notices, CHANGED_SINCE] }

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

// Codes and fields are few, but a custom field has a pointer of its own.
const MAX_FINDINGS = 200

type Found = Pick<FindingCount, 'code' | 'pointer' | 'kind'>

const nameFinding = ({ kind, code, pointer }: Found): string => `${kind} ${code} ${pointer}`

/** How many rows have each finding, with those of more rows. */
export const addFindings = (
  findings: readonly FindingCount[],
  rows: readonly (readonly Found[])[],
): readonly FindingCount[] => {
  const counted = new Map(findings.map(one => [nameFinding(one), one]))
  for (const found of rows)
    for (const [name, { code, pointer, kind }] of new Map(found.map(one => [nameFinding(one), one]))) {
      const before = counted.get(name)?.rows ?? 0
      if (before > 0 || counted.size < MAX_FINDINGS) counted.set(name, { code, pointer, kind, rows: before + 1 })
    }
  return [...counted.values()]
}

/** The errors and notices of a row, by their kinds. */
export const listFound = ({ errors, notices }: Pick<StoredRow, 'errors' | 'notices'>): Found[] => [
  ...errors.map(({ code, pointer }) => ({ code, pointer, kind: 'error' as const })),
  ...notices.map(({ code, pointer }) => ({ code, pointer, kind: 'notice' as const })),
]

/** The result of a row that failed. */
export const failRow = (number: number, errors: readonly FieldError[], notices: readonly FieldError[] = []): RowResult => ({
  number,
  status: 'failed',
  errors,
  notices,
})
