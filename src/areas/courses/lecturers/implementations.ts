import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { blockOf } from '#src/contract/page-blocks.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { lecturerCards } from './lecturer/cards.lookups.ts'
import { eraseLecturer, findLecturerByMember, listAvatars, listEarlierSlugs, moveProfile } from './lecturer/queries.ts'

const personalProfile = async (db: Db, schoolId: string, memberId: string): Promise<PersonalData[]> => {
  const row = await findLecturerByMember(db, schoolId, memberId)
  if (row === undefined) return [{ name: 'lecturer_profile', rows: [] }]
  const { display_name, slug, bio, links, visibility, avatar_file_id: avatar, created_at: at } = row
  const profile = {
    id: toId('lec', row.id),
    display_name,
    slug,
    bio,
    links,
    visibility,
    earlier_slugs: await listEarlierSlugs(db, schoolId, row.id),
    avatar_file_id: avatar === null ? null : toId('fil', avatar),
    created_at: instant(at),
  }
  return [{ name: 'lecturer_profile', rows: [profile] }]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(blockOf, async ({ block, keyFor }, context) =>
    block.type === 'lecturers' ? lecturerCards({ ...context, keyFor }, block) : undefined,
  ),
  implement(memberErasure, ({ memberId }, { db, school }) => eraseLecturer(db, school.id, memberId)),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveProfile(db, school.id, fromId, intoId)
  }),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listAvatars(db, school.id, fileIds)).map(row => ({
      fileId: row.avatar_file_id,
      kind: 'lecturer',
      id: toId('lec', row.id),
      name: row.name,
    })),
  ),
  implement(personalData, ({ memberId }, { db, school }) => personalProfile(db, school.id, memberId)),
  implement(filesPublic, async ({ fileIds }, { db, school }) =>
    (await listAvatars(db, school.id, fileIds)).filter(row => row.is_visible).map(row => row.avatar_file_id),
  ),
]
