import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { integerKey, type List, textKey } from '#src/db/list.ts'
import { isNamed } from '#src/db/ref.ts'
import { rowOfSlug } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { bodyWords } from '#src/kit/search-words.ts'
import { fold } from '#src/kit/text.ts'
import { type LecturerViewer, lecturerSeenBy, lecturerSlugs } from './conditions.ts'

/** A stored profile. */
export type LecturerRow = Recorded & {
  readonly id: string
  readonly member_id: string | null
  readonly display_name: string
  readonly name_folded: string
  readonly slug: string
  readonly bio: string
  readonly avatar_file_id: string | null
  readonly links: readonly { readonly label: string; readonly url: string }[]
  readonly position: number
  readonly visibility: 'visible' | 'hidden'
}

const columns = sql`l.id, l.member_id, l.display_name, l.name_folded, l.slug, l.bio, l.avatar_file_id, l.links, l.position,
  l.visibility, l.revision, l.created_at, l.updated_at`

/** The filter of a list of profiles; undefined fields do not filter. */
type LecturerFilter = {
  readonly viewer: LecturerViewer
  readonly q?: string | undefined
  readonly visibility?: LecturerRow['visibility'] | undefined
  readonly ids?: readonly string[] | undefined
}

const matching = (schoolId: string, { viewer, q, visibility, ids }: LecturerFilter): Statement =>
  joinConditions(
    sql`l.school_id = ${schoolId}`,
    lecturerSeenBy(viewer),
    when(q, text => sql`l.id in (select stoa.search('lecturer', ${fold(text)}, null, null))`),
    when(visibility, word => sql`l.visibility = ${word}`),
    when(ids, some => sql`l.id = any (${some}::uuid[])`),
  )

/** The profiles of a filter in the order of the school. */
export const lecturerList = (schoolId: string, filter: LecturerFilter): List<LecturerRow> => ({
  columns,
  from: sql`lecturers l`,
  where: matching(schoolId, filter),
  id: sql`l.id`,
  keys: {
    position: integerKey(sql`l.position`, row => row.position),
    display_name: textKey(sql`l.name_folded`, row => row.name_folded),
  },
  sort: 'position',
})

const ANYBODY: LecturerViewer = { memberId: undefined, isStaff: false }

/** The slugs of the profiles that everybody sees, in the order of their creation. */
export const listVisibleSlugs = (
  db: Db,
  schoolId: string,
  { from, rows }: { readonly from: number; readonly rows: number },
): Promise<{ slug: string; updated_at: Date }[]> =>
  db.all(sql<{ slug: string; updated_at: Date }>`
    select l.slug, l.updated_at from lecturers l where ${matching(schoolId, { viewer: ANYBODY })}
    order by l.id limit ${rows} offset ${from}`)

/** How many profiles everybody sees. */
export const countVisible = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from lecturers l where ${matching(schoolId, { viewer: ANYBODY })}`)
  ).count

// Current slugs are searched before former ones.
const named = (schoolId: string, ref: string): Statement => {
  if (!ref.startsWith('slug:')) return sql`l.school_id = ${schoolId} and ${isNamed(ref, { id: sql`l.id` })}`
  return sql`l.school_id = ${schoolId} and l.id = ${rowOfSlug(schoolId, lecturerSlugs, ref.slice('slug:'.length))}`
}

/** The profile in a path, if the viewer sees it. */
export const findLecturer = (db: Db, schoolId: string, viewer: LecturerViewer, ref: string) =>
  db.first(sql<LecturerRow>`
    select ${columns} from lecturers l where ${named(schoolId, ref)} and ${lecturerSeenBy(viewer)}`)

/** The same, locked until the transaction ends. */
export const lockLecturer = (db: Db, schoolId: string, viewer: LecturerViewer, ref: string) =>
  db.first(sql<LecturerRow>`
    select ${columns} from lecturers l where ${named(schoolId, ref)} and ${lecturerSeenBy(viewer)} for update of l`)

/** The profile that is linked to a member. */
export const findLecturerByMember = (db: Db, schoolId: string, memberId: string) =>
  db.first(sql<LecturerRow>`
    select ${columns} from lecturers l where l.school_id = ${schoolId} and l.member_id = ${memberId}`)

/** The addresses that a profile had before. */
export const listEarlierSlugs = async (db: Db, schoolId: string, id: string): Promise<string[]> => {
  const rows = await db.all(sql<{ slug: string }>`
    select slug from lecturer_slugs where school_id = ${schoolId} and lecturer_id = ${id} order by slug`)
  return rows.map(({ slug }) => slug)
}

/** The stored fields of a profile. */
export type LecturerValues = Pick<
  LecturerRow,
  'member_id' | 'display_name' | 'slug' | 'bio' | 'avatar_file_id' | 'links' | 'visibility'
>

const buildBody = ({ display_name, bio }: LecturerValues): string => bodyWords(`${display_name} ${bio}`)

/** Whether another profile has a slug. */
export const hasLecturerSlug = async (db: Db, schoolId: string, slug: string, butId?: string): Promise<boolean> =>
  (await db.first(sql`
    select id from lecturers
    where school_id = ${schoolId} and slug = ${slug} and id is distinct from ${butId}::uuid`)) !== undefined

/** Whether a member exists and was not removed, and whether another profile is linked to them. */
export const linkState = (
  db: Db,
  schoolId: string,
  memberId: string,
  butId?: string,
): Promise<{ exists: boolean; isTaken: boolean }> =>
  db.one(sql<{ exists: boolean; isTaken: boolean }>`
    select exists (select from members where school_id = ${schoolId} and id = ${memberId} and status <> 'deleted') as exists,
      exists (select from lecturers where school_id = ${schoolId} and member_id = ${memberId}
        and id is distinct from ${butId}::uuid) as "isTaken"`)

/** Stores a new profile as the last one. */
export const insertLecturer = (db: Db, schoolId: string, id: string, lecturer: LecturerValues) =>
  db.one(sql<LecturerRow>`
    with clock as materialized (select stoa.now() as now)
    insert into lecturers as l (school_id, id, member_id, display_name, name_folded, body_words, slug, bio,
      avatar_file_id, links, position, visibility, created_at, updated_at)
    select ${schoolId}, ${id}, ${lecturer.member_id}::uuid, ${lecturer.display_name}, ${fold(lecturer.display_name)},
      ${buildBody(lecturer)}, ${lecturer.slug}, ${lecturer.bio}, ${lecturer.avatar_file_id}::uuid, ${JSON.stringify(lecturer.links)}::jsonb,
      (select coalesce(max(o.position) + 1, 0) from lecturers o where o.school_id = ${schoolId}), ${lecturer.visibility}, now, now
    from clock
    returning ${columns}`)

/** Stores a changed profile as its next revision. */
export const storeLecturer = (db: Db, schoolId: string, id: string, lecturer: LecturerValues) =>
  db.one(sql<LecturerRow>`
    update lecturers l set member_id = ${lecturer.member_id}, display_name = ${lecturer.display_name},
      name_folded = ${fold(lecturer.display_name)}, body_words = ${buildBody(lecturer)}, slug = ${lecturer.slug}, bio = ${lecturer.bio},
      avatar_file_id = ${lecturer.avatar_file_id}, links = ${JSON.stringify(lecturer.links)}::jsonb,
      visibility = ${lecturer.visibility}, revision = revision + 1, updated_at = (select stoa.now())
    where l.school_id = ${schoolId} and l.id = ${id}
    returning ${columns}`)

/** Removes a profile. */
export const deleteLecturerRow = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from lecturers where school_id = ${schoolId} and id = ${id}`)

/** Locks every profile of a school, and returns their ids in the order of the school. */
export const lockOrder = async (db: Db, schoolId: string): Promise<string[]> => {
  await db.all(sql`select id from lecturers where school_id = ${schoolId} order by id for no key update`)
  const rows = await db.all(sql<{ id: string }>`
    select id from lecturers where school_id = ${schoolId} order by position, id`)
  return rows.map(({ id }) => id)
}

/** Stores the order of the profiles; those that move get a new revision, and their ids are returned. */
export const storeOrder = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update lecturers l set position = place - 1, revision = revision + 1, updated_at = (select stoa.now())
      from unnest(${ids}::uuid[]) with ordinality as o (id, place)
      where l.school_id = ${schoolId} and l.id = o.id and l.position <> o.place - 1
      returning l.id`)
  ).map(({ id }) => id)

/** Deletes the profile of an erased member. */
export const eraseLecturer = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  const row = await db.first(sql<{ id: string }>`
    update lecturers set member_id = null, display_name = 'Former lecturer', name_folded = 'former lecturer', body_words = '',
      slug = 'former-lecturer-' || right(id::text, 12), bio = '', avatar_file_id = null, links = '[]', visibility = 'hidden',
      revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} returning id`)
  if (row === undefined) return
  await db.run(sql`delete from lecturer_slugs where school_id = ${schoolId} and lecturer_id = ${row.id}`)
}

/** Moves the profile of one member to another who has none. */
export const moveProfile = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update lecturers set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${fromId}
      and not exists (select from lecturers o where o.school_id = ${schoolId} and o.member_id = ${intoId})`)

/** The profiles that show some files, and whether they are public. */
export const listAvatars = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; name: string; avatar_file_id: string; is_visible: boolean }[]> =>
  db.all(sql<{ id: string; name: string; avatar_file_id: string; is_visible: boolean }>`
    select id, display_name as name, avatar_file_id, visibility = 'visible' as is_visible from lecturers
    where school_id = ${schoolId} and avatar_file_id = any (${fileIds}::uuid[])`)
