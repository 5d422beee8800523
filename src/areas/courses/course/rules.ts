import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { fromId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { CourseRow, CourseValues } from './queries.ts'
import type { CourseInput } from './schema.ts'

/** How far a course has got. */
export type Status = CourseRow['status']

/** Another course has the external id. */
export const courseExternalIdTaken = problem(
  409,
  'course_external_id_taken',
  'Another course has this external_id',
  'An external_id names one course of the school. Find which at /courses/external:{value}.',
)

/** Members may still use the course. */
export const courseInUse = problem(
  409,
  'course_in_use',
  'Members may still use the course',
  'A course is deleted only when nobody may use it any more. Archive it, or end the access of those who have it first.',
)

/** Who creates courses as a lecturer needs a profile to teach them with. */
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

/** Refuses a move that the table does not have. */
export const checkMove = (from: Status, to: Status): void => {
  if (!mayMove(from, to)) throw new Refusal(invalidState, `The course is ${from}, which does not become ${to}.`)
}

const MAX_TAGS = 20

const MAX_TAG_LENGTH = 50

/** Tags as they are kept: one line, in lower case, each once, in their order. */
export const cleanTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(tag => cleanLine(tag, MAX_TAG_LENGTH).toLowerCase()))]
    .filter(tag => tag !== '')
    .sort()
    .slice(0, MAX_TAGS)

// An id of the right form that nothing has stays one, and is refused as such.
const uuidOf = (prefix: 'cat' | 'fil' | 'ctp', id: string): string => fromId(prefix, id) ?? ''

const line = (text: string | null, length: number): string | null => text && cleanLine(text, length)

/** A course as it is stored after a change. */
export const mergeInput = (before: CourseValues, input: Partial<CourseInput>): CourseValues => ({
  name: input.name === undefined ? before.name : cleanLine(input.name, 200),
  slug: input.slug ?? before.slug,
  subtitle: input.subtitle === undefined ? before.subtitle : cleanLine(input.subtitle, 300),
  description: input.description ?? before.description,
  visibility: input.visibility ?? before.visibility,
  image_file_id:
    input.image_file_id === undefined
      ? before.image_file_id
      : input.image_file_id && uuidOf('fil', input.image_file_id),
  seo_title: input.seo === undefined ? before.seo_title : line(input.seo.title, 120),
  seo_description: input.seo === undefined ? before.seo_description : line(input.seo.description, 320),
  external_id: input.external_id === undefined ? before.external_id : input.external_id,
  certificate_template_id:
    input.certificate_template_id === undefined
      ? before.certificate_template_id
      : input.certificate_template_id && uuidOf('ctp', input.certificate_template_id),
  tags: input.tags === undefined ? before.tags : cleanTags(input.tags),
  category_ids: input.category_ids?.map(id => uuidOf('cat', id)).sort() ?? before.category_ids,
})

/** The values of a course that a request leaves out. */
export const BLANK: CourseValues = {
  name: '',
  slug: '',
  subtitle: '',
  description: '',
  visibility: 'listed',
  image_file_id: null,
  seo_title: null,
  seo_description: null,
  external_id: null,
  tags: [],
  category_ids: [],
  certificate_template_id: null,
}
