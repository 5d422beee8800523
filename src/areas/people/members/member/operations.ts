import { listFields } from '#src/areas/people/custom-fields/index.ts'
import { changeRow } from '#src/contract/change.ts'
import type { Db } from '#src/contract/db.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { findWords } from '#src/db/search.ts'
import { endCodes, keepConsents } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { cleanTags, foldEmail } from '#src/kit/text.ts'
import { activityOperations } from '../activity/operations.ts'
import { createMemberBatch } from '../batches/operations.ts'
import { lockMatchingMembers } from '../batches/queries.ts'
import { bringBack } from '../departure/writes.ts'
import { isErased } from '../erasure/queries.ts'
import { noteOperations } from '../notes/operations.ts'
import { segmentOperations } from '../segments/operations.ts'
import { tagOperations } from '../tags/operations.ts'
import { insertTags } from '../tags/queries.ts'
import { checkMayReaddress, checkMayTouch, getNamedMember, lockMemberByRef, mayTouch } from './access.ts'
import {
  insertInvited,
  type MemberFilter,
  type MemberRow,
  type MemberValues,
  memberList,
  storeMember,
} from './queries.ts'
import { readRelated, relations } from './relations.lookups.ts'
import {
  addressNotYours,
  buildNotices,
  changedValues,
  emailTaken,
  errorsOfCustom,
  errorsOfMember,
  externalIdTaken,
  invited,
  keepsAddress,
  listActions,
  newValues,
  readConditions,
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

/** The filter that a query asks for. */
const readFilter = (query: ListMembersParams): MemberFilter => ({
  ...readConditions(query),
  email: query.email,
  ids: query['id[in]'],
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
  updatedFrom: query['updated_at[gte]'],
  seenFrom: query['last_seen_at[gte]'],
  seenBefore: query['last_seen_at[lt]'],
})

// Whether a search finds few or many decides how the list is read.
const searched = async (db: Db, filter: MemberFilter): Promise<MemberFilter> =>
  filter.q === undefined ? filter : { ...filter, found: await findWords(db, 'member', filter.q) }

const CELLS: Cells<MemberRow> = {
  id: row => row.id,
  email: row => row.email,
  name: row => row.name,
  phone: row => row.phone,
  status: row => row.status,
  role: row => row.role,
  tags: row => row.tags.join(', '),
  locale: row => row.locale,
  time_zone: row => row.time_zone,
  external_id: row => row.external_id,
  joined_at: row => row.joined_at,
  marketing_granted: row => row.marketing_granted,
  last_seen_at: row => row.last_seen_at,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

const listMembers = declareFor('staff', 'members', {
  id: 'listMembers',
  route: 'GET /members',
  summary: 'List members',
  description:
    'Lists the members of the school, oldest first unless `sort` says otherwise. `q` finds words by their first letters and ignores case and accents: zoe finds Zoë.',
  query: MembersQuery,
  returns: MemberPage,
  expand: relations,
  csv: {
    cells: CELLS,
    statement: ({ school, query }) => listStatement(memberList(school.id, readFilter(query)), query.sort),
  },
  async handle(context) {
    const { db, school, query } = context
    const list = memberList(school.id, await searched(db, readFilter(query)))
    return readList(context, list, async rows => {
      const related = await readRelated(context, rows)
      return rows.map(row => ({ ...memberView(row), ...related(row) }))
    })
  },
})

const getMember = declareFor('staff', 'members', {
  id: 'getMember',
  route: 'GET /members/:member_id',
  summary: 'Get a member',
  description: 'Returns one member with contact details, tags and custom fields.',
  params: MemberRef,
  returns: Member,
  expand: relations,
  example: { params: memberExample },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const row = await getNamedMember(db, school, params.member_id)
    const related = await readRelated(context, [row])
    const wasErased = row.status === 'deleted' && (await isErased(db, school.id, row.id))
    const actions = listActions({
      ...row,
      isSelf: caller.member.id === row.id,
      mayTouch: mayTouch(caller.member, row),
      wasErased,
    })
    return { ...memberView(row), ...related(row), allowed_actions: allowedActions(actions) }
  },
})

const createMember = declareFor('staff', 'members', {
  id: 'createMember',
  route: 'POST /members',
  summary: 'Create a member',
  description:
    'Adds a member and sends an invitation by e-mail unless `send_invitation` is false. Nobody can sign in as the member until the person has confirmed the address and chosen a password. The address of a deleted member brings that member back, with their id and their history.',
  body: NewMember,
  returns: Member,
  status: 201,
  fails: [emailTaken, externalIdTaken],
  example: { body: { email: 'gil@crumb.example', name: 'Gil Tavares', tags: ['open day'], send_invitation: false } },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const { tags = [], send_invitation: invites = true, ...settings } = body
    const values = newValues(body)
    const custom = errorsOfCustom(await listFields(db, school.id), body.custom_fields ?? {})
    refuseInvalid([...errorsOfMember(values, context.now), ...custom])
    const [holder] = await lockMatchingMembers(db, school.id, [], [foldEmail(body.email)])
    const back = holder?.status === 'deleted' ? await bringBack(context, holder.id) : undefined
    const id = back?.row.id ?? newUuid(now.getTime())
    if (back === undefined) await insertInvited(db, school.id, id, values)
    else await storeMember(db, school.id, id, changedValues(back.row, settings))
    await keepConsents(db, school.id, [id])
    await insertTags(db, school.id, id, cleanTags(tags))
    const ref = toId('mem', id)
    const row = await getNamedMember(db, school, id)
    changed({ ids: [ref], fields: Object.keys(body), revision: row.revision, memberId: id })
    record(back?.fact ?? { type: 'member.created', payload: { member_id: ref } })
    if (invites) record(invited(row))
    return { ...memberView(row), ...buildNotices(back?.row, body.marketing_consent) }
  },
})

const updateMember = declareFor('staff', 'members', {
  id: 'updateMember',
  route: 'PATCH /members/:member_id',
  summary: 'Update a member',
  description:
    'Changes the fields of a member that the request names. Only members themselves change the address of an account that has a password, and only owners that of somebody who is invited as an admin; roles are changed under /school/staff.',
  ifMatch: 'honoured',
  params: MemberRef,
  body: MemberChanges,
  returns: Member,
  fails: [emailTaken, externalIdTaken, addressNotYours],
  example: { params: memberExample, body: { phone: '+351 21 000 0000' } },
  async handle(context) {
    const { db, school, caller, params, body } = context
    const row = await lockMemberByRef(db, school, params.member_id)
    return changeRow(context, row, {
      id: toId('mem', row.id),
      fact: 'member.updated',
      memberId: row.id,
      values: (): MemberValues => {
        checkMayTouch(caller.member, row)
        if (body.email !== undefined) checkMayReaddress(caller.member, row)
        if (keepsAddress(row, body.email))
          throw new Refusal(addressNotYours, 'The person signs in with this address, so only they can change it.')
        return changedValues(row, body)
      },
      check: async values => {
        const custom = errorsOfCustom(await listFields(db, school.id), body.custom_fields ?? {})
        refuseInvalid([...errorsOfMember(values, context.now), ...custom])
      },
      store: async (values, fields) => {
        const stored = await storeMember(db, school.id, row.id, values)
        await keepConsents(db, school.id, [row.id])
        // A code that is on its way proves the address it was sent to, and no other.
        if (fields.includes('email')) await endCodes(db, school.id, row.id)
        return stored
      },
      view: stored => ({ ...memberView(stored), ...buildNotices(row, body.marketing_consent) }),
    })
  },
})

/** The operations of members, in the order of the documentation. */
export const operations = [
  listMembers,
  getMember,
  createMember,
  updateMember,
  createMemberBatch,
  ...tagOperations,
  ...segmentOperations,
  ...noteOperations,
  ...activityOperations,
]
