import { usesOf } from '#src/areas/files/index.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { listImportsWith, listStartedBy, moveStarted } from './import/queries.ts'
import { blankMemberRows, listMemberRows, moveRows } from './rows/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listImportsWith(db, school.id, fileIds)).map(row => ({
      fileId: row.file_id,
      kind: 'import',
      id: toId('imp', row.id),
      name: row.file_name,
    })),
  ),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await blankMemberRows(db, school.id, [memberId])
    await moveStarted(db, school.id, memberId, null)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveRows(db, school.id, fromId, intoId)
    await moveStarted(db, school.id, fromId, intoId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => {
    const [rows, started] = await Promise.all([
      listMemberRows(db, school.id, memberId),
      listStartedBy(db, school.id, memberId),
    ])
    return [
      {
        name: 'import_rows',
        rows: rows.map(({ import_id: id, file_name, number, status, ended_at }) => ({
          import_id: toId('imp', id),
          file_name,
          number,
          status,
          ended_at: ended_at && instant(ended_at),
        })),
      },
      {
        name: 'imports',
        rows: started.map(({ id, file_name, created_at }) => ({
          id: toId('imp', id),
          file_name,
          created_at: instant(created_at),
        })),
      },
    ]
  }),
]
