import type { Static } from 'typebox'
import { fileViews, useFile } from '#src/areas/storage/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { lockSlug } from '#src/db/ref.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { slugFor } from '#src/kit/text.ts'
import { courseCounts } from './hooks.ts'
import {
  freeLecturerSlug,
  hasLecturerSlug,
  insertLecturer,
  type LecturerRow,
  type LecturerValues,
  type LecturerViewer,
  linkState,
  listLecturerRows,
  lockLecturer,
  moveLecturerSlug,
} from './queries.ts'
import { cleanName, faultsOfLinks, linkAddress, profileExists } from './rules.ts'
import type { Lecturer, LecturerInput } from './schema.ts'

/** Who looks at profiles, of a caller. */
export const viewerOf = (caller: Caller): LecturerViewer => ({
  memberId: caller.member?.id,
  isStaff: isStaff(caller),
})

type Looking = { readonly db: Db; readonly school: School; readonly caller: Caller }
type Showing = Looking & { keyFor(purpose: string): Buffer }

/** Profiles as a caller sees them: whose they are is told to staff and to the person alone. */
export const lecturerViews = async (
  showing: Showing,
  rows: readonly LecturerRow[],
): Promise<Static<typeof Lecturer>[]> => {
  const { db, school, caller } = showing
  const avatarIds = rows.flatMap(row => (row.avatar_file_id === null ? [] : [row.avatar_file_id]))
  const [counts, avatars] = await Promise.all([
    courseCounts.call({ lecturerIds: rows.map(({ id }) => id) }, { school, db }),
    fileViews(showing, avatarIds),
  ])
  return rows.map(row => {
    const isTold = isStaff(caller) || (row.member_id !== null && row.member_id === caller.member?.id)
    return {
      id: toId('lec', row.id),
      ...(isTold ? { member_id: row.member_id === null ? null : toId('mem', row.member_id) } : {}),
      display_name: row.display_name,
      slug: row.slug,
      bio: row.bio,
      avatar_file_id: row.avatar_file_id === null ? null : toId('fil', row.avatar_file_id),
      avatar: (row.avatar_file_id === null ? undefined : avatars.get(row.avatar_file_id)) ?? null,
      links: row.links.map(({ label, url }) => ({ label, url })),
      position: row.position,
      visibility: row.visibility,
      course_count: counts.reduce((sum, answer) => sum + (answer.get(row.id) ?? 0), 0),
      revision: row.revision,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }
  })
}

/** One profile as a caller sees it. */
export const lecturerView = async (looking: Showing, row: LecturerRow): Promise<Static<typeof Lecturer>> => {
  const [view] = await lecturerViews(looking, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}

/** Some profiles by their ids, as a caller sees them, in the school's order. */
export const listLecturersById = async (
  looking: Showing,
  ids: readonly string[],
): Promise<Static<typeof Lecturer>[]> => {
  const filter = { viewer: viewerOf(looking.caller), ids }
  const page = { rows: ids.length, after: undefined }
  const order = { key: 'position', isDescending: false } as const
  return lecturerViews(looking, await listLecturerRows(looking.db, looking.school.id, filter, order, page))
}

/** The profile a path names, held until the transaction ends; refuses when the caller sees none. */
export const holdLecturer = async ({ db, school, caller }: Looking, ref: string): Promise<LecturerRow> => {
  const row = await lockLecturer(db, school.id, viewerOf(caller), ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such lecturer.')
  return row
}

// An id of the right form that nothing has stays one, and is refused as such.
const uuidOf = (prefix: 'mem' | 'fil', id: string): string => fromId(prefix, id) ?? ''

/** A profile as it is stored after what somebody said of it. */
export const mergeInput = (before: LecturerValues, said: Partial<LecturerInput>): LecturerValues => ({
  member_id: said.member_id === undefined ? before.member_id : said.member_id && uuidOf('mem', said.member_id),
  display_name: said.display_name === undefined ? before.display_name : cleanName(said.display_name),
  slug: said.slug ?? before.slug,
  bio: said.bio ?? before.bio,
  avatar_file_id:
    said.avatar_file_id === undefined
      ? before.avatar_file_id
      : said.avatar_file_id && uuidOf('fil', said.avatar_file_id),
  links: said.links?.map(({ label, url }) => ({ label, url: linkAddress(url) ?? url })) ?? before.links,
  visibility: said.visibility ?? before.visibility,
})

// Staff use every portrait, others their own: a visible profile opens it to everybody.
const ownerOf = (caller: Caller): { memberId?: string } =>
  caller.member === undefined || isStaff(caller) ? {} : { memberId: caller.member.id }

/** Refuses a profile that cannot be stored: an unknown member or file, a wrong link, a slug or member that is taken. */
export const checkValues = async (
  looking: Looking,
  values: LecturerValues,
  before: Pick<LecturerRow, 'id' | 'slug' | 'avatar_file_id'> | undefined,
): Promise<void> => {
  const { db, school } = looking
  const link = values.member_id === null ? undefined : await linkState(db, school.id, values.member_id, before?.id)
  refuseInvalid([
    ...(values.display_name === ''
      ? [{ pointer: '/display_name', code: 'empty', message: 'has nothing visible' }]
      : []),
    ...faultsOfLinks(values.links),
    ...(link?.exists === false ? [{ pointer: '/member_id', code: 'unknown', message: 'is not a member' }] : []),
  ])
  if (link?.isTaken === true) throw new Refusal(profileExists, 'This member has a profile already.')
  if (before !== undefined && values.slug !== before.slug) await lockSlug(db, school.id, 'lecturer', values.slug)
  if (values.slug !== before?.slug && (await hasLecturerSlug(db, school.id, values.slug, before?.id)))
    throw new Refusal(slugTaken, 'Another lecturer has this slug.')
  const avatarId = values.avatar_file_id
  if (avatarId === null || avatarId === before?.avatar_file_id) return
  const file = { id: toId('fil', avatarId), pointer: '/avatar_file_id', purposes: ['avatar'] } as const
  await useFile(looking, { ...file, ...ownerOf(looking.caller) })
}

/** Makes a profile of what somebody said of it; without a slug one is made of the name. */
export const addLecturer = async (
  looking: Looking & { readonly now: Date },
  said: Partial<LecturerInput> & Pick<LecturerInput, 'display_name'>,
): Promise<LecturerRow> => {
  const { db, school, now } = looking
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanName(said.display_name), id)
  await lockSlug(db, school.id, 'lecturer', said.slug ?? wanted)
  const slug = said.slug ?? (await freeLecturerSlug(db, school.id, wanted, id))
  const blank = { member_id: null, bio: '', avatar_file_id: null, links: [], visibility: 'visible', slug } as const
  const values = mergeInput({ ...blank, display_name: said.display_name }, said)
  await checkValues(looking, values, undefined)
  const row = await insertLecturer(db, school.id, id, values)
  await moveLecturerSlug(db, school.id, id, { to: values.slug })
  return row
}
