import type { Use } from '#src/contract/items.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { defaultsOf, merged } from '#src/kit/patch.ts'
import { cleanLine } from '#src/kit/text.ts'
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

const MAX_TAGS = 20

const MAX_TAG_LENGTH = 50

/** Normalises tags: on one line, in lower case, without duplicates, in their order. */
export const cleanTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(tag => cleanLine(tag, MAX_TAG_LENGTH).toLowerCase()))]
    .filter(tag => tag !== '')
    .sort()
    .slice(0, MAX_TAGS)

const line = (text: string | null, length: number): string | null => text && cleanLine(text, length)

/** The values of a course after a change. */
export const mergeInput = (before: CourseValues, { seo, ...input }: Partial<CourseInput>): CourseValues => ({
  ...merged<CourseValues>(before, input),
  name: input.name === undefined ? before.name : cleanLine(input.name, 200),
  subtitle: input.subtitle === undefined ? before.subtitle : cleanLine(input.subtitle, 300),
  seo_title: seo === undefined ? before.seo_title : line(seo.title, 120),
  seo_description: seo === undefined ? before.seo_description : line(seo.description, 320),
  tags: input.tags === undefined ? before.tags : cleanTags(input.tags),
  category_ids: input.category_ids?.toSorted() ?? before.category_ids,
})

/** The default values of a new course: the defaults of the schema, else null. */
export const BLANK: CourseValues = {
  ...defaultsOf(CourseSettings),
  name: '',
  slug: '',
  subtitle: '',
  description: '',
  visibility: 'listed',
  seo_title: null,
  seo_description: null,
  tags: [],
  category_ids: [],
}
