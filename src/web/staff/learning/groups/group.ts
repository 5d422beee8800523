import type { Static } from 'typebox'
import { type Group, GroupItemPage, GroupMemberPage } from '#src/areas/learning/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  type Column,
  createList,
  fieldsFor,
  line,
  type PageContext,
  renderAct,
  renderName,
  searchForm,
  text as textField,
} from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { findItems, itemNames } from '../../items.ts'
import { renderList, renderPart } from '../../pages/list-page.ts'
import { personName } from '../../teaching/names.ts'

const { acts, common: text, fields } = texts.staff.groups
const { heads } = texts.staff.lists

/** A group as pages get it. */
export type GroupShown = Encoded<Static<typeof Group>>

/** The fields of the form of a group. */
export const groupFields = fieldsFor<GroupShown>()(fields, {
  name: line({ most: 120 }),
  description: textField({ most: 2000 }),
})

const inList = { offered: () => false }
const itemParams = { item_type: 'type', item_id: 'item' }

/** What staff do on the page of a group. Members and items are added and removed in their lists. */
export const groupActs = {
  save: { operation: 'updateGroup', fields: groupFields, offered: () => true },
  delete: { operation: 'deleteGroup', offered: () => true },
  add_member: { operation: 'addGroupMember', params: { member_id: 'member' }, ...inList },
  remove_member: { operation: 'removeGroupMember', params: { member_id: 'member' }, ...inList },
  add_item: { operation: 'addGroupItem', params: itemParams, ...inList },
  remove_item: { operation: 'removeGroupItem', params: itemParams, ...inList },
} as const satisfies Readonly<Record<string, Act<GroupShown>>>

/** The group in the path. */
export const readParams = ({ params }: PageContext) => ({ group_id: params.id ?? '' })

const part = ({ query }: PageContext, name: string): string => (query.get(name) ?? '').trim()

const memberList = (group: GroupShown, context: PageContext) =>
  createList({
    path: context.request.path,
    operation: 'listGroupMembers',
    returns: GroupMemberPage,
    params: { group_id: group.id },
    filters: {},
    texts: { filters: {}, all: texts.words.members, none: text.noMembers, empty: text.noMembers },
  })

type Row = { readonly id: string; readonly name: string; readonly about: Html | string; readonly fields: Fields }
type Fields = Readonly<Record<string, string>>
type RowAct = 'add_member' | 'remove_member' | 'add_item' | 'remove_item'

const buildColumns = (context: PageContext, act: RowAct, path?: string): Column<Row>[] => [
  {
    name: texts.words.name,
    kind: 'main',
    cell: ({ id, name, about }) =>
      path === undefined
        ? html`<bdi>${name}</bdi><small class="sub"><bdi>${about}</bdi></small>`
        : renderName(`${path}/${id}`, name, about),
  },
  {
    name: heads.change,
    kind: 'lead',
    cell: ({ name, fields: named }) => renderAct(context, { name, act, fields: named, texts: acts[act] }),
  },
]

type Person = { readonly id: string; readonly name: string; readonly email: string }

/** The members of a group, and the search for others. */
export const membersPart = async (group: GroupShown, context: StaffContext): Promise<Html> => {
  const { t, call } = context
  const q = part(context, 'q')
  const list = memberList(group, context)
  const words: Pairs = [
    ['q', q],
    ['limit', '8'],
  ]
  const [shown, found] = await Promise.all([
    list.read(context),
    q === '' ? undefined : call({ operation: 'listMembers', query: words, returns: MemberPage }),
  ])
  const row = (one: Person): Row => ({
    id: one.id,
    name: personName(one, context),
    about: one.email,
    fields: { member: one.id },
  })
  return html`${renderList(context, list, shown, {
    heading: t(text.memberList, { n: group.member_count }),
    columns: buildColumns(context, 'remove_member', '/staff/people'),
    rows: shown.page.data.map(row),
  })}
<section class="card" aria-label="${t(text.findMember)}">${searchForm(context, 'q', text.findMember)}</section>
${
  found !== undefined &&
  renderPart(context, {
    id: 'found',
    title: t(texts.words.found),
    columns: buildColumns(context, 'add_member', '/staff/people'),
    rows: found.data.map(row),
    none: t(texts.words.noMembersFound),
  })
}`
}

const readItems = async (context: PageContext) => {
  const { call, parts, person } = context
  const query: Pairs = [['limit', '100']]
  const { data } = await call({
    operation: 'listGroupItems',
    params: readParams(context),
    query,
    returns: GroupItemPage,
  })
  const named = data.filter(({ item }) => item.type !== 'event').map(({ item }) => item.id)
  const names = await itemNames(parts.performAs, person, named)
  return data.map(({ item }) => ({ ...item, name: names[named.indexOf(item.id)] }))
}

/** What a group opens, and the search for more. */
export const itemsPart = async (group: GroupShown, context: PageContext): Promise<Html> => {
  const { t, parts, person } = context
  const words = part(context, 'item')
  const [items, found] = await Promise.all([
    readItems(context),
    words === '' ? undefined : findItems(parts.performAs, person, words),
  ])
  type Item = { type: keyof typeof text.types; id: string; name: string | undefined }
  const row = ({ type, id, name = t(text.removedItem) }: Item): Row => ({
    id,
    name,
    about: t(text.types[type]),
    fields: { type, item: id },
  })
  return html`${renderPart(context, {
    id: 'items',
    title: t(text.itemList),
    columns: buildColumns(context, 'remove_item'),
    rows: items.map(row),
    none: t(text.noItems),
    below: html`${t(text.effect)}${items.length > 0 && downloadLinks('listGroupItems', context, [['group_id', group.id]])}`,
  })}
<section class="card" aria-label="${t(text.findItem)}">${searchForm(context, 'item', text.findItem)}</section>
${
  found !== undefined &&
  renderPart(context, {
    id: 'found-items',
    title: t(texts.words.found),
    columns: buildColumns(context, 'add_item'),
    rows: found.map(row),
    none: t(text.nothing),
  })
}`
}
