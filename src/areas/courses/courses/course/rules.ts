import type { Use } from '#src/contract/items.ts'
import { BLANK_LISTING, mergedListing } from '#src/contract/listing.ts'
import { problem } from '#src/contract/problem.ts'
import { buildDefaults } from '#src/kit/patch.ts'
import type { CourseValues } from './queries.ts'
import { type CourseInput, CourseSettings } from './schema.ts'

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

/** The values of a course after a change. */
export const mergeInput = (before: CourseValues, input: Partial<CourseInput>): CourseValues =>
  mergedListing(before, input)

/** The default values of a new course: the defaults of the schema, else null. */
export const BLANK: CourseValues = { ...buildDefaults(CourseSettings), ...BLANK_LISTING }
