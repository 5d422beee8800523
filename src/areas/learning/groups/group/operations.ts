import type { Static } from 'typebox'
import { closeBundleItems, revokeSourceAccess } from '#src/areas/learning/access/index.ts'
import { changeRow } from '#src/contract/change.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { groupEndEffect } from '../items/rules.ts'
import { getGroup } from './access.ts'
import {
  endGroup,
  findGroup,
  findTaken,
  type GroupFilter,
  type GroupRow,
  type GroupValues,
  groupList,
  insertGroup,
  lockGroup,
  lockGroupNames,
  storeGroup,
} from './queries.ts'
import { cleanName, errorsOfName, groupExternalIdTaken, groupNameTaken } from './rules.ts'
import { Group, GroupChanges, GroupPage, GroupPath, GroupQuery, groupExample, NewGroup } from './schema.ts'
import { groupView } from './views.ts'

const ACTIONS = ['getGroup', 'updateGroup', 'deleteGroup', 'createGroupMemberBatch']

const readFilter = (query: Static<typeof GroupQuery>): GroupFilter => ({
  q: query.q,
  memberId: query.member_id,
  externalId: query.external_id,
})

const listGroupsOperation = declareFor('staff', 'members', {
  id: 'listGroups',
  route: 'GET /groups',
  summary: 'List groups',
  description:
    'Lists the groups of the school by name. `q` finds words by their first letters and ignores case and accents.',
  query: GroupQuery,
  returns: GroupPage,
  handle(context) {
    return readList(context, groupList(context.school.id, readFilter(context.query)), rows => rows.map(groupView))
  },
})

const refuseName = (name: string): void => {
  refuseInvalid(errorsOfName(name), 'The name of the group has no visible characters.')
}

// Call it while the names of the school are locked.
const refuseTaken = async (db: Db, school: School, id: string, values: GroupValues): Promise<void> => {
  const taken = await findTaken(db, school.id, id, values)
  if (taken === 'name') throw new Refusal(groupNameTaken, 'Another group has this name.')
  if (taken === 'external_id') throw new Refusal(groupExternalIdTaken, 'Another group has this external_id.')
}

const createGroup = declareFor('staff', 'members', {
  id: 'createGroup',
  route: 'POST /groups',
  summary: 'Create a group',
  description: 'Creates an empty group of members.',
  body: NewGroup,
  returns: Group,
  status: 201,
  fails: [groupNameTaken, groupExternalIdTaken],
  example: { body: { name: 'Weekend class', description: 'Saturdays at ten.' } },
  async handle({ db, school, body, now, changed, record }) {
    const id = newUuid(now.getTime())
    const values = {
      name: cleanName(body.name),
      description: body.description ?? '',
      external_id: body.external_id ?? null,
    }
    refuseName(values.name)
    await lockGroupNames(db, school.id)
    await refuseTaken(db, school, id, values)
    await insertGroup(db, school.id, id, values)
    const ref = toId('grp', id)
    const row = await getGroup(findGroup, { db, school }, id)
    changed({ ids: [ref], fields: Object.keys(body), revision: row.revision })
    record({ type: 'group.created', payload: { group_id: ref } })
    return groupView(row)
  },
})

const getGroupOperation = declareFor('staff', 'members', {
  id: 'getGroup',
  route: 'GET /groups/:group_id',
  summary: 'Get a group',
  description: 'Returns one group.',
  params: GroupPath,
  returns: Group,
  example: { params: groupExample },
  async handle(context) {
    const row = await getGroup(findGroup, context, context.params.group_id)
    return { ...groupView(row), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

const updateGroup = declareFor('staff', 'members', {
  id: 'updateGroup',
  route: 'PATCH /groups/:group_id',
  summary: 'Update a group',
  description: 'Changes the name or the description of a group.',
  ifMatch: 'honoured',
  params: GroupPath,
  body: GroupChanges,
  returns: Group,
  fails: [groupNameTaken, groupExternalIdTaken],
  example: { params: groupExample, body: { description: 'People who bake together on Thursdays.' } },
  async handle(context) {
    const { db, school, params, body } = context
    await lockGroupNames(db, school.id)
    const row = await getGroup(lockGroup, context, params.group_id)
    return changeRow(context, row, {
      id: toId('grp', row.id),
      fact: 'group.updated',
      values: (): GroupValues => ({
        name: body.name === undefined ? row.name : cleanName(body.name),
        description: body.description ?? row.description,
        external_id: body.external_id === undefined ? row.external_id : body.external_id,
      }),
      check: values => {
        refuseName(values.name)
        return refuseTaken(db, school, row.id, values)
      },
      store: values => storeGroup(db, school.id, row.id, values),
      view: groupView,
    })
  },
})

const ended = (row: GroupRow): Fact => ({
  type: 'group.deleted',
  payload: { group_id: toId('grp', row.id), member_count: row.member_count, item_count: row.item_count },
  ...(row.member_count > 0 && row.item_count > 0
    ? { effects: { access: groupEndEffect(row.name, row.member_count, row.item_count) } }
    : {}),
})

const deleteGroup = declareFor('staff', 'members', {
  id: 'deleteGroup',
  route: 'DELETE /groups/:group_id',
  summary: 'Delete a group',
  description:
    'Deletes a group and ends the access that it gave. The members stay in the school. With `dry_run=true` the response says who loses access to what.',
  ifMatch: 'honoured',
  params: GroupPath,
  returns: undefined,
  example: { params: groupExample },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await getGroup(lockGroup, context, params.group_id)
    await requireMatch(row.revision, () => groupView(row))
    await endGroup(db, school.id, row.id)
    await closeBundleItems(db, school.id, { type: 'group', id: row.id })
    await revokeSourceAccess(context, { source: 'group', sourceId: row.id })
    changed({ ids: [toId('grp', row.id)], fields: ['deleted_at'], revision: row.revision + 1 })
    record(ended(row))
  },
})

/** Groups as such, in the order of the documentation; deleting one comes after what is done with its members. */
export const groupOperations = [listGroupsOperation, createGroup, getGroupOperation, updateGroup]

/** What ends a group. */
export const groupEndings = [deleteGroup]
