import type { Static } from 'typebox'
import { fileViews } from '#src/areas/storage/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { courseCounts } from '../hooks.ts'
import type { LecturerRow } from './queries.ts'
import type { Lecturer } from './schema.ts'

/** Where profiles are shown with their pictures. */
export type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

/** Profiles as a caller sees them: only staff and the person read whose they are. */
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
export const lecturerView = async (context: Showing, row: LecturerRow): Promise<Static<typeof Lecturer>> => {
  const [view] = await lecturerViews(context, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}
