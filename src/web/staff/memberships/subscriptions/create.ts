import { randomUUID } from 'node:crypto'
import { MembershipPlanPage, Subscription } from '#src/areas/memberships/index.ts'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { daysAfter, instantOf, isDay } from '#src/kit/local-time.ts'
import { redirect, zoneOf } from '#src/web/page/index.ts'
import { formKeyIn } from '../../form-fields.ts'
import { findItems } from '../../items.ts'
import { staffFormOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { answer, isShown, perform, staffPage, type Visit, visitOf } from '../../visit.ts'
import { type CreateView, createPage } from './create-page.ts'
import { pathOf } from './view.ts'

const PATH = '/staff/subscriptions/new'
const FOUND = '8'

const part = ({ query }: Visit, name: string): string => (query.get(name) ?? '').trim()

const findPeople = async (visit: Visit, q: string): Promise<CreateView['people']> => {
  const query: Pairs = [
    ['q', q],
    ['limit', FOUND],
  ]
  return (await perform(visit, { operation: 'listMembers', query, returns: MemberPage })).data
}

const plansOf = async (visit: Visit): Promise<CreateView['items']> => {
  const query: Pairs = [
    ['status', 'active'],
    ['limit', '100'],
  ]
  const page = await perform(visit, { operation: 'listMembershipPlans', query, returns: MembershipPlanPage })
  return page.data.map(({ id, name, prices }) => ({ type: 'membership_plan' as const, id, name, prices }))
}

const viewOf = async (visit: Visit): Promise<CreateView> => {
  const [member, q, item] = [part(visit, 'member'), part(visit, 'q'), part(visit, 'item')]
  const [person, people, plans, items] = await Promise.all([
    member === ''
      ? undefined
      : perform(visit, { operation: 'getMember', params: { member_id: member }, returns: Member }),
    member !== '' || q === '' ? undefined : findPeople(visit, q),
    member === '' ? [] : plansOf(visit),
    member === '' || item === '' ? [] : findItems(visit.parts.performAs, visit.person, item),
  ])
  return {
    ...{ visit, q, item, person, people },
    items: [...plans, ...items],
    formKey: randomUUID(),
    refused: undefined,
  }
}

const types = { mpl: 'membership_plan', crs: 'course', dpr: 'digital_product' } as const

// A price is paid by transfer, an item without a price is given.
const whatIn = (form: Pairs): object => {
  const what = formField(form, 'what')
  if (what.startsWith('prc_')) return { price_id: what, collection: 'manual' }
  const [, type] = Object.entries(types).find(([prefix]) => what.startsWith(`${prefix}_`)) ?? []
  return { collection: 'complimentary', item: { type: type ?? '', id: what } }
}

const callOf = (visit: Visit, form: Pairs): PageCall<typeof Subscription> => {
  const day = formField(form, 'ends_on').trim()
  const endsAt = isDay(day)
    ? instantOf({ local: `${daysAfter(day, 1)}T00:00`, time_zone: zoneOf(visit.viewer) }).toISOString()
    : ''
  return {
    operation: 'createSubscription',
    body: { member_id: part(visit, 'member'), ...whatIn(form), ...(endsAt === '' ? {} : { ends_at: endsAt }) },
    returns: Subscription,
  }
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  try {
    const created = await perform(visit, { ...callOf(visit, form), ...formKeyIn(form) })
    return redirect(`${pathOf(created)}?done=created`)
  } catch (error) {
    if (!isShown(error)) throw error
    return createPage({ ...(await viewOf(visit)), refused: { form, refusal: error } })
  }
}

const post = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const visit = visitOf(request, parts, posted.session)
  return answer(visit, () => submit(visit, posted.form))
}

/** GET and POST /staff/subscriptions/new; the address says for whom. */
export const subscriptionCreation: StaffSection = {
  // The list of subscriptions leads to it.
  entries: [],
  endpoints: parts => [
    staffPage(`GET ${PATH}`, parts, async visit => createPage(await viewOf(visit))),
    endpoint({ route: `POST ${PATH}`, handle: request => post(request, parts) }),
  ],
}
