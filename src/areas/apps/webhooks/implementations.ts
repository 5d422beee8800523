import { accessEnded } from '#src/contract/access-ended.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { readScopes } from './webhook/access.ts'
import { listMemberWebhooks, moveSchoolWebhooks, readNow } from './webhook/queries.ts'
import { disableByWorker } from './webhook/writes.ts'

/** What happens to webhooks when the access of an app ends, and when a member is erased or merged; and what of them is personal data. */
export const implementations = [
  implement(accessEnded, async ({ memberId, clientId, now }, { db, school }) => {
    const rows = await listMemberWebhooks(db, school.id, memberId, clientId)
    const scopes = await readScopes(db, school.id, rows)
    for (const { id } of rows)
      if ((scopes.get(id)?.size ?? 0) === 0)
        await disableByWorker(db, { schoolId: school.id, now, id, reason: 'access_ended' })
  }),
  implement(personalData, async ({ memberId }, { db, school }) => [
    {
      name: 'webhooks',
      rows: (await listMemberWebhooks(db, school.id, memberId)).map(row => ({
        id: toId('whk', row.id),
        url: row.url,
        types: row.types,
        description: row.description,
        client_id: row.client_id,
        status: row.status,
        created_at: row.created_at.toISOString(),
      })),
    },
  ]),
  // What an app made ends, since it belongs to the grant.
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveSchoolWebhooks(db, school.id, fromId, intoId)
  }),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    const now = await readNow(db)
    for (const row of await listMemberWebhooks(db, school.id, memberId))
      if (row.client_id !== null)
        await disableByWorker(db, { schoolId: school.id, now, id: row.id, reason: 'access_ended' })
  }),
]
