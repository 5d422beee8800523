import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The fields of a profile that identity does not have: picture and consent to marketing. */
export type ProfileExtras = {
  readonly avatar_file_id: string | null
  readonly marketing_granted: boolean
  readonly marketing_at: Date | null
  readonly marketing_source: string | null
}

const columns = sql`avatar_file_id, marketing_granted, marketing_at, marketing_source`

/** The picture and consent of a person. */
export const getExtras = (db: Db, schoolId: string, memberId: string) =>
  db.one(sql<ProfileExtras>`select ${columns} from members where school_id = ${schoolId} and id = ${memberId}`)

/** Stores picture and consent within a write that raises the member's revision; consent is dated when it changes. */
export const storeExtras = (
  db: Db,
  schoolId: string,
  memberId: string,
  { avatarFileId, granted }: { readonly avatarFileId: string | null; readonly granted: boolean },
) =>
  db.one(sql<ProfileExtras>`
    update members set avatar_file_id = ${avatarFileId}::uuid,
      marketing_at = case when marketing_granted = ${granted}::boolean then marketing_at else (select stoa.now()) end,
      marketing_source = case when marketing_granted = ${granted}::boolean then marketing_source else 'account' end,
      marketing_by_person = case when marketing_granted = ${granted}::boolean then marketing_by_person else true end,
      marketing_granted = ${granted}::boolean
    where school_id = ${schoolId} and id = ${memberId}
    returning ${columns}`)

/** The files among these that are pictures of members. */
export const avatarsWith = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; file_id: string }[]> =>
  db.all(sql<{ id: string; file_id: string }>`
    select id, avatar_file_id as file_id from members
    where school_id = ${schoolId} and avatar_file_id = any (${fileIds}::uuid[])`)

/** Removes a member's picture. */
export const dropAvatar = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`update members set avatar_file_id = null where school_id = ${schoolId} and id = ${memberId}`)

/** Moves one member's picture to another member who has none. */
export const moveAvatar = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update members m set avatar_file_id = o.avatar_file_id from members o
    where m.school_id = ${schoolId} and m.id = ${intoId} and m.avatar_file_id is null
      and o.school_id = ${schoolId} and o.id = ${fromId}`)
