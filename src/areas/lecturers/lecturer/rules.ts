import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { NamedCourse } from '../hooks.ts'
import type { LecturerValues } from './queries.ts'
import type { LecturerInput } from './schema.ts'

/** A published course would be left without a lecturer. */
export const soleLecturer = problem(
  409,
  'sole_lecturer',
  'A published course has no other lecturer',
  'The courses listed under courses are published and have no other lecturer. Give each another lecturer or take it back first.',
)

/** The member has a profile already. */
export const profileExists = problem(
  409,
  'profile_exists',
  'The member has a profile',
  'A member has at most one profile of a lecturer. Change that one, or unlink it first.',
)

/** Refuses because these published courses have no other lecturer. */
export const refuseSole = (courses: readonly NamedCourse[]): void => {
  if (courses.length === 0) return
  throw new Refusal(soleLecturer, 'Published courses would be left without a lecturer.', {
    members: { courses: courses.map(({ id, name }) => ({ id: toId('crs', id), name })) },
  })
}

// What a lecturer writes in the own profile; the rest is the school's.
const OWN = ['display_name', 'bio', 'avatar_file_id', 'links']

/** Refuses a change of an own profile that is for staff. */
export const checkOwnChange = (fields: readonly string[]): void => {
  const other = fields.find(name => !OWN.includes(name))
  if (other !== undefined) throw new Refusal(roleRequired, `${other} of a profile is changed by staff.`)
}

/** The address of a link as it is stored; undefined for one that no browser should follow. */
export const linkAddress = (url: string): string | undefined => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return undefined
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : undefined
}

/** What is wrong with links that fit their schema. */
export const errorsOfLinks = (links: readonly { readonly url: string }[]): FieldError[] =>
  links.flatMap(({ url }, index) =>
    linkAddress(url) === undefined
      ? [{ pointer: `/links/${index}/url`, code: 'url', message: 'is not an http(s) address' }]
      : [],
  )

/** A name on one line, and the slug that would be made of it. */
export const cleanName = (name: string): string => cleanLine(name, 120)

// An id of the right form that nothing has stays one, and is refused as such.
const uuidOf = (prefix: 'mem' | 'fil', id: string): string => fromId(prefix, id) ?? ''

/** A profile as it is stored after a change. */
export const mergeInput = (before: LecturerValues, input: Partial<LecturerInput>): LecturerValues => ({
  member_id: input.member_id === undefined ? before.member_id : input.member_id && uuidOf('mem', input.member_id),
  display_name: input.display_name === undefined ? before.display_name : cleanName(input.display_name),
  slug: input.slug ?? before.slug,
  bio: input.bio ?? before.bio,
  avatar_file_id:
    input.avatar_file_id === undefined
      ? before.avatar_file_id
      : input.avatar_file_id && uuidOf('fil', input.avatar_file_id),
  links: input.links?.map(({ label, url }) => ({ label, url: linkAddress(url) ?? url })) ?? before.links,
  visibility: input.visibility ?? before.visibility,
})
