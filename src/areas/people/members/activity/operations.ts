import type { Static } from 'typebox'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { toId } from '#src/kit/ids.ts'
import { getNamedMember } from '../member/access.ts'
import { MemberRef, memberExample } from '../member/schema.ts'
import { type ActivityRow, countActivity, listActivity } from './queries.ts'
import { getIdPrefix } from './rules.ts'
import { type Activity, ActivityPage, ActivityQuery } from './schema.ts'

const renderView = (row: ActivityRow): Static<typeof Activity> => ({
  id: toId(getIdPrefix(row.kind), row.id),
  at: row.at,
  kind: row.kind,
  ...(row.operation === null ? {} : { operation: row.operation }),
  ...(row.event === null ? {} : { event: row.event }),
  ...(row.client_id === null ? {} : { client: { id: row.client_id, name: row.client_name ?? '' } }),
  ...(row.by_id === null ? {} : { by: { id: row.by_id, name: row.by_name ?? '' } }),
  ...(row.fields === null ? {} : { fields: [...row.fields] }),
})

const listMemberActivity = declareFor('staff', 'members', {
  id: 'listMemberActivity',
  route: 'GET /members/:member_id/activity',
  summary: "List a member's activity",
  description:
    'Lists writes by and about a member, recent sign-ins and security events of the account, newest first. Changed values are never included.',
  params: MemberRef,
  query: ActivityQuery,
  returns: ActivityPage,
  example: { params: memberExample },
  async handle(context) {
    const { db, school, params } = context
    const { rows, after } = parsePage(context)
    const { id } = await getNamedMember(db, school, params.member_id)
    const found = await listActivity(db, school.id, id, rows, after?.[0])
    const total = () => countActivity(db, school.id, id)
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: rows => rows.map(renderView),
      total,
    })
  },
})

/** What members did. */
export const activityOperations = [listMemberActivity]
