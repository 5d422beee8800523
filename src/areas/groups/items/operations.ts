import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { getGroup } from '../group/access.ts'
import { findGroup, keepGroup } from '../group/queries.ts'
import { GroupPath, groupExample } from '../group/schema.ts'
import { itemExists } from '../hooks.ts'
import { closeItem, countItems, findItem, type GroupItemRow, type Item, insertItem, listItems } from './queries.ts'
import { closedEffect, openedEffect, prefixOf, unknownItem } from './rules.ts'
import { GroupItem, GroupItemPage, GroupItemPath, GroupItemQuery } from './schema.ts'

const example = {
  params: {
    ...groupExample,
    item_type: 'course' as const,
    item_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }),
  },
}

const viewOf = (row: GroupItemRow): Static<typeof GroupItem> => ({
  id: row.id,
  item: { type: row.item_type, id: toId(prefixOf(row.item_type), row.item_id) },
  opened_at: row.opened_at,
  closed_at: row.closed_at,
})

const itemIn = ({ item_type: type, item_id }: Static<typeof GroupItemPath>): Item => {
  const id = fromId(prefixOf(type), item_id)
  if (id === undefined) throw new Refusal(notFound, `The id is not one of a ${type}.`)
  return { type, id }
}

const nameOf = async (db: Db, school: School, item: Item): Promise<string | undefined> => {
  const results = await itemExists.call(item, { db, school })
  return results.find(one => typeof one === 'object')?.name
}

const getName = async (db: Db, school: School, item: Item): Promise<string> => {
  const results = await itemExists.call(item, { db, school })
  const result = results.find(one => one !== undefined)
  if (typeof result === 'object') return result.name
  throw new Refusal(
    unknownItem,
    result === undefined ? `This school has no ${item.type} yet.` : `There is no such ${item.type}.`,
  )
}

const listGroupItems = operation({
  id: 'listGroupItems',
  route: 'GET /groups/:group_id/items',
  summary: 'List group items',
  description: 'Lists the items that a group gives its members access to.',
  scope: 'members:read',
  who: 'staff',
  mode: 'read',
  params: GroupPath,
  query: GroupItemQuery,
  returns: GroupItemPage,
  example: { params: groupExample },
  async handle(context) {
    const { db, school, params, query } = context
    const { rows, after } = parsePage(context)
    const group = await getGroup(findGroup, context, params.group_id)
    const found = await listItems(db, school.id, group.id, query.at, { rows, after: after?.[0] })
    const total = () => countItems(db, school.id, group.id, query.at)
    return buildPage(context, found, { positionOf: row => [row.id], viewsOf: rows => rows.map(viewOf), total })
  },
})

const addGroupItem = operation({
  id: 'addGroupItem',
  route: 'PUT /groups/:group_id/items/:item_type/:item_id',
  summary: 'Open an item to a group',
  description: 'Gives every current and future member of a group access to an item.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  params: GroupItemPath,
  returns: GroupItem,
  fails: [unknownItem],
  example,
  async handle(context) {
    const { db, school, params, now, changed, record } = context
    const group = await getGroup(keepGroup, context, params.group_id)
    const item = itemIn(params)
    const name = await getName(db, school, item)
    const opened = await insertItem(db, school.id, group.id, newUuid(now.getTime()), item)
    const row = opened ?? (await findItem(db, school.id, group.id, item))
    if (row === undefined) throw new Error('an item that was opened is not there')
    if (opened === undefined) return viewOf(row)
    const about = { group: toId('grp', group.id), item_type: item.type, item: params.item_id }
    changed({ ids: [about.group, about.item], fields: ['items'] })
    record({
      type: 'group.item_added',
      payload: about,
      ...(group.member_count === 0 ? {} : { effects: { access: openedEffect(group.name, name, group.member_count) } }),
    })
    return viewOf(row)
  },
})

const removeGroupItem = operation({
  id: 'removeGroupItem',
  route: 'DELETE /groups/:group_id/items/:item_type/:item_id',
  summary: 'Close an item to a group',
  description: 'Ends the access to an item that a group gives. Access that members have from other sources stays.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  params: GroupItemPath,
  returns: undefined,
  example,
  async handle(context) {
    const { db, school, params, changed, record } = context
    const group = await getGroup(keepGroup, context, params.group_id)
    const item = itemIn(params)
    if ((await findItem(db, school.id, group.id, item)) === undefined)
      throw new Refusal(notFound, 'The group has never given access to this.')
    if ((await closeItem(db, school.id, group.id, item)) === 0) return
    const about = { group: toId('grp', group.id), item_type: item.type, item: params.item_id }
    const name = (await nameOf(db, school, item)) ?? params.item_id
    changed({ ids: [about.group, about.item], fields: ['items'] })
    record({
      type: 'group.item_removed',
      payload: about,
      ...(group.member_count === 0 ? {} : { effects: { access: closedEffect(group.name, name, group.member_count) } }),
    })
  },
})

/** The operations of group items, in the order of the documentation. */
export const groupItemOperations = [listGroupItems, addGroupItem, removeGroupItem]
