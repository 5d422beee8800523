import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { NamedCourse } from '../hooks.ts'
import type { LecturerValues } from './queries.ts'
import type { LecturerInput } from './schema.ts'

/** A published course would have no lecturer left. */
export const soleLecturer = problem(
  409,
  'sole_lecturer',
  'A published course has no other lecturer',
  'The courses listed under courses are published and have no other lecturer. Add another lecturer to each, or unpublish it first.',
)

/** The member already has a profile. */
export const profileExists = problem(
  409,
  'profile_exists',
  'The member has a profile',
  'A member has at most one profile of a lecturer. Change that one, or unlink it first.',
)

/** Refuses because these published courses have no other lecturer. */
export const refuseSole = (courses: readonly NamedCourse[]): void => {
  if (courses.length === 0) return
  throw new Refusal(soleLecturer, 'Published courses would have no lecturer left.', {
    members: { courses: courses.map(({ id, name }) => ({ id: toId('crs', id), name })) },
  })
}

// The fields that lecturers can change in their own profile.
const OWN = ['display_name', 'bio', 'avatar_file_id', 'links']

/** Refuses a change by lecturers of fields that only staff may change. */
export const checkOwnChange = (fields: readonly string[]): void => {
  const other = fields.find(name => !OWN.includes(name))
  if (other !== undefined) throw new Refusal(roleRequired, `Only staff can change ${other} of a profile.`)
}

/** The normalised address of a link; undefined for one that browsers should not follow. */
const linkAddress = (url: string): string | undefined => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return undefined
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : undefined
}

/** The errors of links that match their schema. */
export const errorsOfLinks = (links: readonly { readonly url: string }[]): FieldError[] =>
  links.flatMap(({ url }, index) =>
    linkAddress(url) === undefined
      ? [{ pointer: `/links/${index}/url`, code: 'url', message: 'is not an http(s) address' }]
      : [],
  )

/** A name on one line, and the slug derived from it. */
export const cleanName = (name: string): string => cleanLine(name, 120)

/** The values of a profile after a change. */
export const mergeInput = (before: LecturerValues, input: Partial<LecturerInput>): LecturerValues => ({
  member_id: input.member_id === undefined ? before.member_id : input.member_id,
  display_name: input.display_name === undefined ? before.display_name : cleanName(input.display_name),
  slug: input.slug ?? before.slug,
  bio: input.bio ?? before.bio,
  avatar_file_id: input.avatar_file_id === undefined ? before.avatar_file_id : input.avatar_file_id,
  links: input.links?.map(({ label, url }) => ({ label, url: linkAddress(url) ?? url })) ?? before.links,
  visibility: input.visibility ?? before.visibility,
})
