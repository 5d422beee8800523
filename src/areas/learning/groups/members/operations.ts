import type { Static } from 'typebox'
import { checkMayTouch, lockMemberByRef, readBatchIds } from '#src/areas/people/index.ts'
import { batchResponse, MAX_ROWS, rowPointer } from '#src/contract/batch.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { getGroup } from '../group/access.ts'
import { findNamedGroup, keepGroup, type NamedGroup } from '../group/queries.ts'
import { GroupPath, groupExample } from '../group/schema.ts'
import { joinedEffect, leftEffect } from '../items/rules.ts'
import { resolveRows } from './lookups.ts'
import { countGroupMembers, type GroupMemberRow, getGroupMember, listGroupMembers } from './queries.ts'
import { checkedRow, contradictionIn, type RequestedRow, rowStatuses } from './rules.ts'
import {
  GroupMember,
  GroupMemberBatch,
  GroupMemberBatchResponse,
  GroupMemberPage,
  GroupMemberPath,
  GroupMemberQuery,
} from './schema.ts'
import { joinGroup, leaveGroup, moveMembers } from './writes.ts'

type NamedMember = { readonly id: string; readonly name: string }

const memberNamed = (email: string) => exampleFrom('mem', 'listMembers', { having: { email } })

const renderView = (row: GroupMemberRow): Static<typeof GroupMember> => ({
  id: row.id,
  name: row.name,
  email: row.email,
  status: row.status,
  added_at: row.added_at,
})

const aboutBoth = (group: NamedGroup, member: NamedMember) => ({
  group_id: toId('grp', group.id),
  member_id: toId('mem', member.id),
})

const memberAdded = (group: NamedGroup, member: NamedMember): Fact => ({
  type: 'group.member_added',
  payload: aboutBoth(group, member),
  ...(group.item_count === 0 ? {} : { effects: { access: joinedEffect(group.name, member.name, group.item_count) } }),
})

const memberRemoved = (group: NamedGroup, member: NamedMember): Fact => ({
  type: 'group.member_removed',
  payload: aboutBoth(group, member),
  ...(group.item_count === 0 ? {} : { effects: { access: leftEffect(group.name, member.name, group.item_count) } }),
})

const listGroupMembersOperation = declareFor('staff', 'members', {
  id: 'listGroupMembers',
  route: 'GET /groups/:group_id/members',
  summary: 'List group members',
  description: 'Lists the members of a group.',
  params: GroupPath,
  query: GroupMemberQuery,
  returns: GroupMemberPage,
  example: { params: groupExample },
  async handle(context) {
    const { db, school, params } = context
    const { rows, after } = parsePage(context)
    const group = await getGroup(findNamedGroup, context, params.group_id)
    const found = await listGroupMembers(db, school.id, group.id, rows, after?.[0])
    const total = () => countGroupMembers(db, school.id, group.id)
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: rows => rows.map(renderView),
      total,
    })
  },
})

const addGroupMember = declareFor('staff', 'members', {
  id: 'addGroupMember',
  route: 'PUT /groups/:group_id/members/:member_id',
  summary: 'Add a group member',
  description: 'Adds a member to a group and gives them access to all items of the group.',
  params: GroupMemberPath,
  returns: GroupMember,
  example: { params: { ...groupExample, member_id: memberNamed('femi@crumb.example') } },
  async handle(context) {
    const { db, school, caller, params, changed, record } = context
    const group = await getGroup(keepGroup, context, params.group_id)
    const member = await lockMemberByRef(db, school, params.member_id)
    checkMayTouch(caller.member, member)
    const added = await joinGroup(context, group.id, [member.id])
    if (added.length > 0) {
      changed({ ids: Object.values(aboutBoth(group, member)), fields: ['members'], memberId: member.id })
      record(memberAdded(group, member))
    }
    return renderView(await getGroupMember(db, school.id, group.id, member.id))
  },
})

const removeGroupMember = declareFor('staff', 'members', {
  id: 'removeGroupMember',
  route: 'DELETE /groups/:group_id/members/:member_id',
  summary: 'Remove a group member',
  description:
    'Removes a member from a group and ends the access that the group gave them. Access from other sources stays.',
  params: GroupMemberPath,
  returns: undefined,
  example: { params: { ...groupExample, member_id: memberNamed('femi@crumb.example') } },
  async handle(context) {
    const { db, school, caller, params, changed, record } = context
    const group = await getGroup(keepGroup, context, params.group_id)
    const member = await lockMemberByRef(db, school, params.member_id)
    checkMayTouch(caller.member, member)
    const removed = await leaveGroup(context, group.id, [member.id])
    if (removed.length === 0) return
    changed({ ids: Object.values(aboutBoth(group, member)), fields: ['members'], memberId: member.id })
    record(memberRemoved(group, member))
  },
})

const listRows = (body: Static<typeof GroupMemberBatch>): RequestedRow[] =>
  (['add', 'remove'] as const).flatMap(action =>
    (body[action] ?? []).map((ref, index) => ({ pointer: rowPointer(action, index), action, ref })),
  )

const refuseBatch = (at: string, message: string): Refusal =>
  new Refusal(invalidBody, 'The batch is not valid.', { errors: [{ pointer: at, code: 'batch', message }] })

const createGroupMemberBatch = declareFor('staff', 'members', {
  id: 'createGroupMemberBatch',
  route: 'POST /groups/:group_id/members/batches',
  summary: 'Change group members in bulk',
  description:
    'Adds up to 1,000 members to a group or removes them from it; `filter` adds everybody who matches, except owners unless an owner sends the request. With `dry_run=true` the response says who would gain or lose access. Sending the same request again changes nothing more.',
  params: GroupPath,
  body: GroupMemberBatch,
  returns: GroupMemberBatchResponse,
  example: { params: groupExample, body: { add: [memberNamed('femi@crumb.example')] } },
  async handle(context) {
    const { db, school, caller, params, body, changed, record } = context
    const matching = await readBatchIds(context, body.filter)
    const requested = [...listRows(body), ...matching.map(ref => ({ pointer: '/filter', action: 'add' as const, ref }))]
    if (requested.length > MAX_ROWS) throw refuseBatch('', `names more than ${MAX_ROWS} members`)
    const group = await getGroup(keepGroup, context, params.group_id)
    const rows = await resolveRows(db, school, requested)
    const contradiction = contradictionIn(rows)
    if (contradiction !== undefined) throw refuseBatch(contradiction.pointer, 'is a member who is also added')
    const moved = await moveMembers(context, group.id, checkedRow(rows, caller.member.role))
    for (const member of moved.added) record(memberAdded(group, member))
    for (const member of moved.removed) record(memberRemoved(group, member))
    const ids = [...moved.added, ...moved.removed].map(({ id }) => toId('mem', id))
    if (ids.length > 0) changed({ ids: [toId('grp', group.id), ...ids], fields: ['members'] })
    return batchResponse(rowStatuses, moved.results)
  },
})

/** The members of groups, in the order of the documentation. */
export const groupMemberOperations = [
  listGroupMembersOperation,
  addGroupMember,
  removeGroupMember,
  createGroupMemberBatch,
]
