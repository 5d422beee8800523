import { randomUUID } from 'node:crypto'
import { MembershipPlanPage, Subscription } from '#src/areas/memberships/index.ts'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { daysAfter, instantOf, isDay } from '#src/kit/local-time.ts'
import { form, formKeyIn, isShown, page, redirect, zoneOf } from '#src/web/page/index.ts'
import { recentStaff, type StaffContext, staff } from '../../audience.ts'
import { findItems } from '../../items.ts'
import type { StaffSection } from '../../section.ts'
import { type CreateView, createPage } from './create-page.ts'
import { pathOf } from './view.ts'

const PATH = '/staff/subscriptions/new'
const FOUND = '8'

const part = ({ query }: StaffContext, name: string): string => (query.get(name) ?? '').trim()

const findPeople = async (context: StaffContext, q: string): Promise<CreateView['people']> => {
  const query: Pairs = [
    ['q', q],
    ['limit', FOUND],
  ]
  return (await context.call({ operation: 'listMembers', query, returns: MemberPage })).data
}

const plansOf = async (context: StaffContext): Promise<CreateView['items']> => {
  const query: Pairs = [
    ['status', 'active'],
    ['limit', '100'],
  ]
  const page = await context.call({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage })
  return page.data.map(({ id, name, prices }) => ({ type: 'membership_plan' as const, id, name, prices }))
}

const viewOf = async (context: StaffContext): Promise<CreateView> => {
  const [member, q, item] = [part(context, 'member'), part(context, 'q'), part(context, 'item')]
  const [person, people, plans, items] = await Promise.all([
    member === ''
      ? undefined
      : context.call({ operation: 'getMember', params: { member_id: member }, returns: Member }),
    member !== '' || q === '' ? undefined : findPeople(context, q),
    member === '' ? [] : plansOf(context),
    member === '' || item === '' ? [] : findItems(context.parts.performAs, context.person, item),
  ])
  return {
    ...{ context, q, item, person, people },
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

const callOf = (context: StaffContext, form: Pairs): PageCall<typeof Subscription> => {
  const day = formField(form, 'ends_on').trim()
  const endsAt = isDay(day)
    ? instantOf({ local: `${daysAfter(day, 1)}T00:00`, time_zone: zoneOf(context.viewer) }).toISOString()
    : ''
  return {
    operation: 'createSubscription',
    body: { member_id: part(context, 'member'), ...whatIn(form), ...(endsAt === '' ? {} : { ends_at: endsAt }) },
    returns: Subscription,
  }
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  try {
    const created = await context.call({ ...callOf(context, form), ...formKeyIn(form) })
    return redirect(`${pathOf(created)}?done=created`)
  } catch (error) {
    if (!isShown(error)) throw error
    return createPage({ ...(await viewOf(context)), refused: { form, refusal: error } })
  }
}

/** GET and POST /staff/subscriptions/new; the address says for whom. */
export const subscriptionCreation: StaffSection = {
  // The list of subscriptions leads to it.
  entries: [],
  pages: [
    page(`GET ${PATH}`, staff, async context => createPage(await viewOf(context))),
    // What moves money needs a recent sign-in.
    form(`POST ${PATH}`, recentStaff, submit),
  ],
}
