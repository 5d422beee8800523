import { Group, GroupItemPage, GroupMemberPage } from '#src/areas/groups/index.ts'
import { MemberPage } from '#src/areas/members/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { doneOf, redirect } from '#src/web/account/index.ts'
import { revisionOf } from '../form-fields.ts'
import { findItems, itemNames } from '../items.ts'
import type { StaffSection } from '../section.ts'
import { perform, refusalFor, staffForm, staffPage, type Visit } from '../visit.ts'
import { type GroupView, groupPage } from './group-page.ts'

const PATH = '/staff/groups'
const SHOWN = '8'

const paramsOf = ({ request }: Visit) => ({ group_id: request.params.id ?? '' })

const part = ({ query }: Visit, name: string): string => (query.get(name) ?? '').trim()

const findMembers = async (visit: Visit, q: string) => {
  if (q === '') return undefined
  const query: Pairs = [
    ['q', q],
    ['limit', SHOWN],
  ]
  return (await perform(visit, { operation: 'listMembers', query, returns: MemberPage })).data
}

const itemsOf = async (visit: Visit): Promise<GroupView['items']> => {
  const query: Pairs = [['limit', '100']]
  const params = paramsOf(visit)
  const { data } = await perform(visit, { operation: 'listGroupItems', params, query, returns: GroupItemPage })
  const { parts, person } = visit
  const named = data.filter(({ item }) => item.type !== 'event')
  const names = await itemNames(
    parts.performAs,
    person,
    named.map(({ item }) => item.id),
  )
  const nameById = new Map(named.map(({ item }, index) => [item.id, names[index] ?? item.id]))
  return data.map(({ item }) => ({ type: item.type, id: item.id, name: nameById.get(item.id) }))
}

const pageOf = async (visit: Visit, refused?: GroupView['refused']): Promise<Reply> => {
  const params = paramsOf(visit)
  const { parts, person, request } = visit
  const cursor = part(visit, 'cursor')
  const query: Pairs = cursor === '' ? [] : [['cursor', cursor]]
  const item = part(visit, 'item')
  const [group, members, items, foundMembers, foundItems] = await Promise.all([
    perform(visit, { operation: 'getGroup', params, returns: Group }),
    perform(visit, { operation: 'listGroupMembers', params, query, returns: GroupMemberPage }),
    itemsOf(visit),
    findMembers(visit, part(visit, 'q')),
    item === '' ? undefined : findItems(parts.performAs, person, item),
  ])
  return groupPage({
    ...{ visit, group, items, foundMembers, foundItems, refused, item, cursor },
    members: members.data,
    next: members.next_cursor,
    q: part(visit, 'q'),
    done: doneOf(request),
  })
}

type Call = Pick<PageCall<undefined>, 'operation' | 'body' | 'params' | 'revision'>

const itemIn = (form: Pairs) => ({ item_type: formField(form, 'type'), item_id: formField(form, 'item') })

const calls: Readonly<Record<string, (form: Pairs) => Call>> = {
  save: form => ({
    operation: 'updateGroup',
    body: {
      name: formField(form, 'name').trim(),
      description: formField(form, 'description').replaceAll('\r\n', '\n').trim(),
    },
    revision: revisionOf(form),
  }),
  add_member: form => ({ operation: 'addGroupMember', params: { member_id: formField(form, 'member') } }),
  remove_member: form => ({ operation: 'removeGroupMember', params: { member_id: formField(form, 'member') } }),
  add_item: form => ({ operation: 'addGroupItem', params: itemIn(form) }),
  remove_item: form => ({ operation: 'removeGroupItem', params: itemIn(form) }),
  delete: form => ({ operation: 'deleteGroup', revision: revisionOf(form) }),
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  const call = Object.hasOwn(calls, act) ? calls[act]?.(form) : undefined
  if (call === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const params = { ...paramsOf(visit), ...call.params }
  const refusal = await refusalFor(perform(visit, { ...call, params }))
  if (refusal !== undefined) return pageOf(visit, { act, form, refusal })
  return redirect(act === 'delete' ? `${PATH}?done=deleted` : `${visit.request.path}?done=${act}`)
}

/** GET and POST /staff/groups/:id: one group, its members and what it opens. */
export const groupDetails: StaffSection = {
  // The list of groups leads to each of them.
  entries: [],
  endpoints: parts => [
    staffPage('GET /staff/groups/:id', parts, visit => pageOf(visit)),
    staffForm('POST /staff/groups/:id', parts, submit),
  ],
}
