import type { Static } from 'typebox'
import { fileViews } from '#src/areas/files/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { courseCounts } from '../hooks.ts'
import type { LecturerRow } from './queries.ts'
import type { Lecturer } from './schema.ts'

/** The context for the views of profiles with their pictures. */
export type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

/** The views of profiles for a caller; only staff and the person see to whom a profile is linked. */
export const lecturerViews = async (
  context: Showing,
  rows: readonly LecturerRow[],
): Promise<Static<typeof Lecturer>[]> => {
  const { db, school, caller } = context
  const avatarIds = rows.flatMap(row => (row.avatar_file_id === null ? [] : [row.avatar_file_id]))
  const [counts, avatars] = await Promise.all([
    courseCounts.call({ lecturerIds: rows.map(({ id }) => id) }, { school, db }),
    fileViews(context, avatarIds),
  ])
  return rows.map(row => {
    const showsMember = isStaff(caller) || (row.member_id !== null && row.member_id === caller.member?.id)
    return {
      id: row.id,
      ...(showsMember ? { member_id: row.member_id } : {}),
      display_name: row.display_name,
      slug: row.slug,
      bio: row.bio,
      avatar_file_id: row.avatar_file_id,
      avatar: (row.avatar_file_id === null ? undefined : avatars.get(row.avatar_file_id)) ?? null,
      links: row.links.map(({ label, url }) => ({ label, url })),
      position: row.position,
      visibility: row.visibility,
      course_count: counts.reduce((sum, answer) => sum + (answer.get(row.id) ?? 0), 0),
      revision: row.revision,
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
}

/** One profile as a caller sees it. */
export const lecturerView = async (context: Showing, row: LecturerRow): Promise<Static<typeof Lecturer>> => {
  const [view] = await lecturerViews(context, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}
