import type { Statement } from '#src/contract/db.ts'
import type { SlugTables } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'

/** The slugs of profiles. */
export const lecturerSlugs: SlugTables = {
  called: 'lecturer',
  rows: sql`lecturers`,
  former: sql`lecturer_slugs`,
  owner: sql`lecturer_id`,
  isLive: sql`true`,
}

/** The viewer of profiles: staff see every profile, others the visible ones and their own. */
export type LecturerViewer = { readonly memberId: string | undefined; readonly isStaff: boolean }

/** The condition that a viewer sees the profile `l`. */
export const lecturerSeenBy = ({ memberId, isStaff }: LecturerViewer): Statement => {
  if (isStaff) return sql`true`
  const visible = sql`l.visibility = 'visible'`
  return memberId === undefined ? visible : sql`(${visible} or l.member_id = ${memberId})`
}

/** The profile of a school that the row `cl` (lecturer_id) of a statement names, if the viewer sees it. */
export const profileSeenBy = (schoolId: string, viewer: LecturerViewer): Statement => sql`
  select l.id, l.position from lecturers l
  where l.school_id = ${schoolId} and l.id = cl.lecturer_id and ${lecturerSeenBy(viewer)}`

/** The profiles of a member of a school. */
export const buildProfiles = (schoolId: string, memberId: string): Statement =>
  sql`select l.id from lecturers l where l.school_id = ${schoolId} and l.member_id = ${memberId}`

/** The visible profile of the member in a column: its id and name. For the statements of later areas. */
export const buildVisibleProfile = (schoolId: string, memberId: Statement): Statement => sql`
  select l.id, l.display_name from lecturers l
  where l.school_id = ${schoolId} and l.member_id = ${memberId} and l.visibility = 'visible'`
