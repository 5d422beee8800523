import type { Static } from 'typebox'
import { type Group, GroupItemPage, GroupMemberPage } from '#src/areas/learning/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  actRow,
  fieldsFor,
  line,
  type PageContext,
  searchForm,
  text as textField,
} from '#src/web/page/index.ts'
import { downloadLinks } from '../../csv.ts'
import { findItems, itemNames } from '../../items.ts'
import { turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'

const { acts, common: text, fields } = texts.staff.groups

/** A group as pages get it. */
type GroupShown = Encoded<Static<typeof Group>>

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

const renderList = (rows: readonly Html[], empty: string): Html =>
  rows.length === 0 ? html`<p>${empty}</p>` : html`<ul class="list">\n${rows}</ul>`

/** The members of a group, and the search for others. */
export const membersPart = async (group: GroupShown, context: PageContext): Promise<Html> => {
  const { t, call, request } = context
  const [q, cursor] = [part(context, 'q'), part(context, 'cursor')]
  const position: Pairs = cursor === '' ? [] : [['cursor', cursor]]
  const words: Pairs = [
    ['q', q],
    ['limit', '8'],
  ]
  const [members, found] = await Promise.all([
    call({ operation: 'listGroupMembers', params: readParams(context), query: position, returns: GroupMemberPage }),
    q === '' ? undefined : call({ operation: 'listMembers', query: words, returns: MemberPage }),
  ])
  const row = (act: 'add_member' | 'remove_member') => (one: { id: string; name: string; email: string }) =>
    actRow(context, {
      name: personName(one, context),
      about: one.email,
      act,
      fields: { member: one.id },
      texts: acts[act],
    })
  return html`<h2>${t(text.memberList, { n: group.member_count })}</h2>
${searchForm(context, 'q', text.findMember)}
${found !== undefined && renderList(found.data.map(row('add_member')), t(texts.words.noMembersFound))}
${renderList(members.data.map(row('remove_member')), t(text.noMembers))}
${turning(context, request.path, { parameters: { cursor }, next: members.next_cursor })}
${members.data.length > 0 && downloadLinks('listGroupMembers', context, [['group_id', group.id]])}`
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
  type Row = { type: keyof typeof text.types; id: string; name: string | undefined }
  const row =
    (act: 'add_item' | 'remove_item') =>
    ({ type, id, name = t(text.removedItem) }: Row): Html =>
      actRow(context, { name, about: t(text.types[type]), act, fields: { type, item: id }, texts: acts[act] })
  return html`<h2>${t(text.itemList)}</h2>
<p class="quiet">${t(text.effect)}</p>
${renderList(items.map(row('remove_item')), t(text.noItems))}
${items.length > 0 && downloadLinks('listGroupItems', context, [['group_id', group.id]])}
${searchForm(context, 'item', text.findItem)}
${found !== undefined && renderList(found.map(row('add_item')), t(text.nothing))}`
}
