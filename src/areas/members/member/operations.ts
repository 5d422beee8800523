import type { Static } from 'typebox'
import { listFields } from '#src/areas/custom-fields/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import { type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { changesPage } from '#src/db/commit-order.ts'
import { endCodes } from '#src/identity/index.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { activityOperations } from '../activity/operations.ts'
import { createMemberBatch } from '../batches/operations.ts'
import { erasureOperations } from '../erasure/operations.ts'
import { noteOperations } from '../notes/operations.ts'
import { stateOperations } from '../states/operations.ts'
import { tagOperations } from '../tags/operations.ts'
import { insertTags } from '../tags/queries.ts'
import { cleanTags } from '../tags/rules.ts'
import { checkMayTouch, getNamedMember, holdMember } from './access.ts'
import { listGroupsOf } from './groups.queries.ts'
import {
  countMembers,
  findByWords,
  insertInvited,
  listChangedMembers,
  type MemberFilter,
  type MemberOrder,
  type MemberRow,
  type MemberValues,
  membersStatement,
  positionOf,
  storeMember,
} from './queries.ts'
import {
  addressNotYours,
  changedValues,
  emailTaken,
  errorsOfCustom,
  externalIdTaken,
  faultsOfMember,
  invited,
  keepsAddress,
  newValues,
} from './rules.ts'
import {
  type ListMembersParams,
  Member,
  MemberChanges,
  MemberPage,
  MemberRef,
  MembersQuery,
  memberExample,
  NewMember,
} from './schema.ts'
import { memberView } from './views.ts'

/** What can be done with one member, for `allowed_actions`. */
const ACTIONS = ['getMember', 'updateMember', 'deleteMember', 'suspendMember', 'reinstateMember', 'inviteMember']

/** The filter that a query asks for. */
const filterOf = (query: ListMembersParams): MemberFilter => ({
  q: query.q,
  email: query.email,
  status: query.status,
  role: query.role,
  tag: query.tag === undefined ? undefined : cleanTags([query.tag])[0],
  groupId: query.group_id === undefined ? undefined : fromId('grp', query.group_id),
  ids: query['id[in]']?.map(id => fromId('mem', id) ?? ''),
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
  updatedFrom: query['updated_at[gte]'],
  seenFrom: query['last_seen_at[gte]'],
  seenBefore: query['last_seen_at[lt]'],
})

// Whether a search finds few or many decides how the list is read.
const searched = async (db: Db, filter: MemberFilter): Promise<MemberFilter> =>
  filter.q === undefined ? filter : { ...filter, found: await findByWords(db, filter.q) }

const orderOf = ({ sort = 'created_at' }: ListMembersParams): MemberOrder => ({
  key: (sort.startsWith('-') ? sort.slice(1) : sort) as MemberOrder['key'],
  isDescending: sort.startsWith('-'),
})

const CELLS: Readonly<Record<string, (row: MemberRow) => Cell>> = {
  id: row => toId('mem', row.id),
  email: row => row.email,
  name: row => row.name,
  phone: row => row.phone,
  status: row => row.status,
  role: row => row.role,
  tags: row => row.tags.join(' '),
  locale: row => row.locale,
  time_zone: row => row.time_zone,
  external_id: row => row.external_id,
  marketing_granted: row => row.marketing_granted,
  last_seen_at: row => row.last_seen_at?.toISOString() ?? null,
  created_at: row => row.created_at.toISOString(),
  updated_at: row => row.updated_at.toISOString(),
}

const cellsOf = (row: MemberRow): Cell[] => Object.values(CELLS).map(cellOf => cellOf(row))

const listMembers = operation({
  id: 'listMembers',
  route: 'GET /members',
  summary: 'List members',
  description:
    'Lists the members of the school, oldest first unless `sort` says otherwise. `q` finds words by their first letters and ignores case and accents: zoe finds Zoë.',
  scope: 'members:read',
  who: 'staff',
  mode: 'read',
  query: MembersQuery,
  returns: MemberPage,
  expand: { groups: { scope: 'members:read', who: 'staff', summary: 'the groups of each member' } },
  csv: {
    columns: Object.keys(CELLS),
    rows: async ({ db, school, query }) =>
      csvRows(membersStatement(school.id, await searched(db, filterOf(query)), orderOf(query)), cellsOf),
  },
  async handle(context) {
    const { db, school, query } = context
    const filter = filterOf(query)
    if (query.after !== undefined)
      return changesPage(db, context, query.after, {
        read: (rows, after) => listChangedMembers(db, school.id, filter, rows, after),
        itemOf: memberView,
      })
    const order = orderOf(query)
    const resolved = await searched(db, filter)
    const found = await db.all(membersStatement(school.id, resolved, order, parsePage(context)))
    const groups = context.expands('groups') ? await groupsOf(context, found) : undefined
    return buildPage(context, found, {
      positionOf: row => positionOf(row, order),
      itemOf: row => ({ ...memberView(row), ...groups?.(row) }),
      total: () => countMembers(db, school.id, resolved),
    })
  },
})

const groupsOf = async (
  { db, school }: HookPlace,
  rows: readonly MemberRow[],
): Promise<(row: MemberRow) => Pick<Static<typeof Member>, 'groups'>> => {
  const ids = rows.map(({ id }) => id)
  const groups = await listGroupsOf(db, school.id, ids)
  return ({ id }) => ({
    groups: (groups.get(id) ?? []).map(group => ({ id: toId('grp', group.id), name: group.name })),
  })
}

const getMember = operation({
  id: 'getMember',
  route: 'GET /members/:member_id',
  summary: 'Get a member',
  description: 'Returns one member with contact details, tags and custom fields.',
  scope: 'members:read',
  who: 'staff',
  mode: 'read',
  params: MemberRef,
  returns: Member,
  expand: { groups: { scope: 'members:read', who: 'staff', summary: 'the groups of the member' } },
  example: { params: memberExample },
  async handle(context) {
    const { db, school, params, allowedActions } = context
    const row = await getNamedMember(db, school, params.member_id)
    const groups = context.expands('groups') ? await groupsOf(context, [row]) : undefined
    return { ...memberView(row), ...groups?.(row), allowed_actions: allowedActions(ACTIONS) }
  },
})

const createMember = operation({
  id: 'createMember',
  route: 'POST /members',
  summary: 'Create a member',
  description:
    'Adds a member and sends an invitation by e-mail unless `send_invitation` is false. Nobody can sign in as the member until the person has confirmed the address and chosen a password.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  body: NewMember,
  returns: Member,
  status: 201,
  fails: [emailTaken, externalIdTaken],
  example: { body: { email: 'gil@crumb.example', name: 'Gil Tavares', tags: ['open day'], send_invitation: false } },
  async handle({ db, school, body, now, changed, record }) {
    const { tags = [], send_invitation: invites = true } = body
    const values = newValues(body)
    const custom = errorsOfCustom(await listFields(db, school.id), body.custom_fields ?? {})
    refuseInvalid([...faultsOfMember(values), ...custom])
    const id = newUuid(now.getTime())
    await insertInvited(db, school.id, id, values)
    await insertTags(db, school.id, id, cleanTags(tags))
    const ref = toId('mem', id)
    const row = await getNamedMember(db, school, ref)
    changed({ ids: [ref], fields: Object.keys(body), revision: row.revision, memberId: id })
    record({ type: 'member.created', payload: { member: ref } })
    if (invites) record(invited(row))
    return memberView(row)
  },
})

const updateMember = operation({
  id: 'updateMember',
  route: 'PATCH /members/:member_id',
  summary: 'Update a member',
  description:
    'Changes the fields of a member that the request names. Only members themselves change the address of an account that has a password; roles are changed under /school/staff.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: MemberRef,
  body: MemberChanges,
  returns: Member,
  fails: [emailTaken, externalIdTaken, addressNotYours],
  example: { params: memberExample, body: { phone: '+351 21 000 0000' } },
  async handle({ db, school, caller, params, body, requireMatch, changed, record }) {
    const row = await holdMember(db, school, params.member_id)
    await requireMatch(row.revision, () => memberView(row))
    checkMayTouch(caller.member, row)
    const custom = body.custom_fields ?? {}
    if (keepsAddress(row, body.email))
      throw new Refusal(addressNotYours, 'This member has a password and changes the address alone.')
    const values = changedValues(row, body)
    const fields = changedFields<MemberValues>(row, values)
    if (fields.length === 0) return memberView(row)
    refuseInvalid([...faultsOfMember(values), ...errorsOfCustom(await listFields(db, school.id), custom)])
    const stored = await storeMember(db, school.id, row.id, values)
    // A code that is on its way proves the address it was sent to, and no other.
    if (fields.includes('email')) await endCodes(db, school.id, row.id)
    changed({ ids: [toId('mem', row.id)], fields, revision: stored.revision, memberId: row.id })
    record({ type: 'member.updated', payload: { member: toId('mem', row.id), fields } })
    return memberView(stored)
  },
})

/** The operations of members, in the order of the documentation. */
export const operations = [
  listMembers,
  getMember,
  createMember,
  updateMember,
  createMemberBatch,
  ...stateOperations,
  ...erasureOperations,
  ...tagOperations,
  ...noteOperations,
  ...activityOperations,
]
