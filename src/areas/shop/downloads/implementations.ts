import type { SchoolContext } from '#src/contract/context.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { downloadList, eraseDownloads, moveDownloads } from './links/queries.ts'

const personalDownloads = async (memberId: string, { db, school }: SchoolContext): Promise<PersonalData[]> => {
  const rows = await db.all(listStatement(downloadList(school.id, { memberId })))
  return [
    {
      name: 'downloads',
      rows: rows.map(row => ({
        link_id: toId('dlk', row.link_id),
        file_id: toId('dpf', row.file_id),
        file_name: row.file_name,
        version: row.version,
        network: row.network,
        created_at: row.created_at.toISOString(),
      })),
    },
  ]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, ({ memberId }, { db, school }) => eraseDownloads(db, school.id, memberId)),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveDownloads(db, school.id, fromId, intoId)),
  implement(personalData, ({ memberId }, context) => personalDownloads(memberId, context)),
]
