import type { Static } from 'typebox'
import {
  type BundleItemRow,
  closeInBundle,
  countBundleItems,
  type Item,
  listBundleItems,
  openInBundle,
  unknownItem,
} from '#src/areas/learning/access/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { getGroup } from '../group/access.ts'
import { findNamedGroup, type GroupRow, lockGroup } from '../group/queries.ts'
import { GroupPath, groupExample } from '../group/schema.ts'
import { closedEffect, getPrefix, openedEffect } from './rules.ts'
import { GroupItem, GroupItemPage, GroupItemPath, GroupItemQuery } from './schema.ts'

const example = {
  params: {
    ...groupExample,
    item_type: 'course' as const,
    item_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }),
  },
}

const renderView = ({
  id,
  item_type: type,
  item_id,
  opened_at,
  closed_at,
}: BundleItemRow): Static<typeof GroupItem> => {
  if (type === 'post_category') throw new Error('only plans open categories of posts')
  return { id, item: { type, id: toId(getPrefix(type), item_id) }, opened_at, closed_at }
}

const itemIn = ({ item_type: type, item_id }: Static<typeof GroupItemPath>): Item => {
  const id = fromId(getPrefix(type), item_id)
  if (id === undefined) throw new Refusal(notFound, `The id is not one of a ${type}.`)
  return { type, id }
}

const buildBundle = ({ id }: Pick<GroupRow, 'id'>) => ({ type: 'group', id }) as const

const listGroupItems = declareFor('staff', 'members', {
  id: 'listGroupItems',
  route: 'GET /groups/:group_id/items',
  summary: 'List group items',
  description: 'Lists the items that a group gives its members access to.',
  params: GroupPath,
  query: GroupItemQuery,
  returns: GroupItemPage,
  example: { params: groupExample },
  async handle(context) {
    const { db, school, params, query } = context
    const { rows, after } = parsePage(context)
    const group = await getGroup(findNamedGroup, context, params.group_id)
    const found = await listBundleItems(db, school.id, buildBundle(group), { at: query.at, rows, after: after?.[0] })
    const total = () => countBundleItems(db, school.id, buildBundle(group), query.at)
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: rows => rows.map(renderView),
      total,
    })
  },
})

const addGroupItem = declareFor('staff', 'members', {
  id: 'addGroupItem',
  route: 'PUT /groups/:group_id/items/:item_type/:item_id',
  summary: 'Open an item to a group',
  description: 'Gives every current and future member of a group access to an item.',
  params: GroupItemPath,
  returns: GroupItem,
  fails: [unknownItem],
  example,
  async handle(context) {
    const { params, changed, record } = context
    const group = await getGroup(lockGroup, context, params.group_id)
    const item = itemIn(params)
    const { row, name, isNew } = await openInBundle(context, { bundle: buildBundle(group), item })
    if (!isNew) return renderView(row)
    const about = { group_id: toId('grp', group.id), item_type: item.type, item_id: params.item_id }
    changed({ ids: [about.group_id, about.item_id], fields: ['items'] })
    record({
      type: 'group.item_added',
      payload: about,
      ...(group.member_count === 0 ? {} : { effects: { access: openedEffect(group.name, name, group.member_count) } }),
    })
    return renderView(row)
  },
})

const removeGroupItem = declareFor('staff', 'members', {
  id: 'removeGroupItem',
  route: 'DELETE /groups/:group_id/items/:item_type/:item_id',
  summary: 'Close an item to a group',
  description: 'Ends the access to an item that a group gives. Access that members have from other sources stays.',
  params: GroupItemPath,
  returns: undefined,
  example,
  async handle(context) {
    const { params, changed, record } = context
    const group = await getGroup(lockGroup, context, params.group_id)
    const item = itemIn(params)
    const closed = await closeInBundle(context, { bundle: buildBundle(group), item })
    if (closed === undefined) throw new Refusal(notFound, 'The group has never given access to this.')
    if (!closed.isNew) return
    const about = { group_id: toId('grp', group.id), item_type: item.type, item_id: params.item_id }
    changed({ ids: [about.group_id, about.item_id], fields: ['items'] })
    record({
      type: 'group.item_removed',
      payload: about,
      ...(group.member_count === 0
        ? {}
        : { effects: { access: closedEffect(group.name, closed.name, group.member_count) } }),
    })
  },
})

/** The operations of group items, in the order of the documentation. */
export const groupItemOperations = [listGroupItems, addGroupItem, removeGroupItem]
