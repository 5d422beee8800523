import type { Use } from '#src/contract/items.ts'
import { BLANK_LISTING, mergedListing } from '#src/contract/listing.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { defaultsOf } from '#src/kit/patch.ts'
import type { CourseRow, CourseValues } from './queries.ts'
import { type CourseInput, CourseSettings } from './schema.ts'

/** The statuses of a course. */
export type Status = CourseRow['status']

/** Another course has the external id. */
export const courseExternalIdTaken = problem(
  409,
  'course_external_id_taken',
  'Another course has this external_id',
  'An external_id names one course of the school. Find which at /courses/external:{value}.',
)

/** Members may still use the course, or something else refers to it. */
export const courseInUse = problem(
  409,
  'course_in_use',
  'The course is still in use',
  'A course is deleted only when nobody may use it any more and nothing refers to it, such as a membership plan. `holds` is the number of members who may use it, and `in_use` lists everything that uses it. Archive the course, or end these uses first.',
)

const membersIn = (uses: readonly Use[]): number =>
  uses.filter(({ kind }) => kind === 'member').reduce((sum, { count }) => sum + count, 0)

/** The uses of a course as members of the refusal. */
export const inUse = (uses: readonly Use[]) => ({ holds: membersIn(uses), in_use: uses })

/** Why a course with these uses cannot be deleted, in words. */
export const whyInUse = (uses: readonly Use[]): string => {
  const holds = membersIn(uses)
  if (holds > 0) return `${holds} members may still use the course.`
  const kinds = [...new Set(uses.map(({ kind }) => kind.replaceAll('_', ' ')))]
  return `The course is still in use by: ${kinds.join(', ')}.`
}

/** A lecturer needs a profile to create courses. */
export const profileRequired = problem(
  409,
  'profile_required',
  'You have no profile as a lecturer',
  'A lecturer who creates a course teaches it, so a profile must be linked to them. Ask the staff of the school for one.',
)

// Decision 39. Keeping a status changes nothing and is always allowed.
const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  draft: ['scheduled', 'published'],
  scheduled: ['draft', 'published'],
  published: ['draft', 'archived'],
  archived: ['draft'],
}

/** Whether a course may go from one status to another. */
export const mayMove = (from: Status, to: Status): boolean => MOVES[from].includes(to)

/** Refuses a change of status that the table does not allow. */
export const checkMove = (from: Status, to: Status): void => {
  if (!mayMove(from, to)) throw new Refusal(invalidState, `The course is ${from} and cannot become ${to}.`)
}

/** The values of a course after a change. */
export const mergeInput = (before: CourseValues, input: Partial<CourseInput>): CourseValues =>
  mergedListing(before, input)

/** The default values of a new course: the defaults of the schema, else null. */
export const BLANK: CourseValues = { ...defaultsOf(CourseSettings), ...BLANK_LISTING }
