import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { CourseRow } from './queries.ts'

/** How far a course has got. */
export type Status = CourseRow['status']

/** Another course has the external id. */
export const courseExternalIdTaken = problem(
  409,
  'course_external_id_taken',
  'Another course has this external_id',
  'An external_id names one course of the school. Find which at /courses/external:{value}.',
)

/** Somebody may still use the course. */
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

const MOST_TAGS = 20
const LONGEST_TAG = 50

/** Tags as they are kept: one line, in lower case, each once, in their order. */
export const cleanTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(tag => cleanLine(tag, LONGEST_TAG).toLowerCase()))]
    .filter(tag => tag !== '')
    .sort()
    .slice(0, MOST_TAGS)
