import { useFile } from '#src/areas/files/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import { chooseSlug, lockSlug, moveSlug } from '#src/db/slugs.ts'
import { newUuid } from '#src/kit/ids.ts'
import { slugFor } from '#src/kit/text.ts'
import { lecturerSlugs } from './conditions.ts'
import { hasLecturerSlug, insertLecturer, type LecturerRow, type LecturerValues, linkState } from './queries.ts'
import { cleanName, errorsOfLinks, mergeInput, profileExists } from './rules.ts'
import type { LecturerInput } from './schema.ts'

// Staff can use every portrait, others only their own files, since a visible profile makes its portrait public.
const buildOwner = (caller: Caller): { memberId?: string } =>
  caller.member === undefined || isStaff(caller) ? {} : { memberId: caller.member.id }

/** Refuses a profile with an unknown member or file, an invalid link, or a slug or member that another profile has. */
export const checkValues = async (
  context: AsCaller<Caller>,
  values: LecturerValues,
  before: Pick<LecturerRow, 'id' | 'slug' | 'avatar_file_id'> | undefined,
): Promise<void> => {
  const { db, school } = context
  const link = values.member_id === null ? undefined : await linkState(db, school.id, values.member_id, before?.id)
  refuseInvalid([
    ...(values.display_name === ''
      ? [{ pointer: '/display_name', code: 'empty', message: 'must contain a visible character' }]
      : []),
    ...errorsOfLinks(values.links),
    ...(link?.exists === false ? [{ pointer: '/member_id', code: 'unknown', message: 'is not a member' }] : []),
  ])
  if (link?.isTaken === true) throw new Refusal(profileExists, 'This member already has a profile.')
  if (before !== undefined && values.slug !== before.slug) await lockSlug(db, school.id, lecturerSlugs, values.slug)
  if (values.slug !== before?.slug && (await hasLecturerSlug(db, school.id, values.slug, before?.id)))
    throw new Refusal(slugTaken, 'Another lecturer has this slug.')
  const avatarId = values.avatar_file_id
  if (avatarId === null || avatarId === before?.avatar_file_id) return
  const file = { id: avatarId, pointer: '/avatar_file_id', purposes: ['avatar'], isShown: true } as const
  await useFile(context, { ...file, ...buildOwner(context.caller) })
}

/** Creates a profile; without a slug one is derived from the name. */
export const addLecturer = async (
  context: AsCaller<Caller> & { readonly now: Date },
  input: Partial<LecturerInput> & Pick<LecturerInput, 'display_name'>,
): Promise<LecturerRow> => {
  const { db, school, now } = context
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanName(input.display_name), id)
  const slug = await chooseSlug(db, school.id, lecturerSlugs, id, { slug: input.slug, wanted })
  const blank = { member_id: null, bio: '', avatar_file_id: null, links: [], visibility: 'visible', slug } as const
  const values = mergeInput({ ...blank, display_name: input.display_name }, input)
  await checkValues(context, values, undefined)
  const row = await insertLecturer(db, school.id, id, values)
  await moveSlug(db, school.id, lecturerSlugs, id, { to: values.slug })
  return row
}
