import type { Static } from 'typebox'
import { SubscriptionPage, WaitingCredits } from '#src/areas/memberships/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { daysAfter, isDay } from '#src/kit/local-time.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { termsText } from '#src/web/account/index.ts'
import { type Column, createList, dayStart, momentColumn, page, renderName, showEnd } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { renderPart, showList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { personName } from '../../teaching/names.ts'
import type { SubscriptionShown } from './shown.ts'

const { common, listPage: text } = texts.staff.subscriptions
const { heads } = texts.staff.lists

const PATH = '/staff/subscriptions'

const before =
  (name: string) =>
  (day: string, { viewer }: Pick<StaffContext, 'viewer'>): Pairs =>
    isDay(day) ? [[name, dayStart(daysAfter(day, 1), viewer)]] : []

// The list of subscriptions has no search, so words find members first.
const buildList = (member?: SubscriptionShown['member']) =>
  createList({
    path: PATH,
    operation: 'listSubscriptions',
    returns: SubscriptionPage,
    sort: '-created_at',
    filters: {
      q: 'search',
      member_id: member && { [member.id]: { en: member.name } },
      status: common.statuses,
      collection: common.collections,
      item_type: common.itemTypes,
      due: 'day',
      ending: 'day',
    },
    asQuery: {
      q: () => [],
      status: value => [['status[in]', value]],
      due: before('next_charge_at[lt]'),
      ending: before('cancel_at[lt]'),
    },
    texts: {
      filters: {
        q: text.findMember,
        member_id: texts.words.forWhom,
        status: texts.words.status,
        collection: text.collection,
        item_type: text.item,
        due: text.due,
        ending: text.ending,
      },
      all: texts.words.subscriptions,
      none: text.none,
      empty: text.empty,
    },
  })

// What waits is decided on the page of each subscription.
const renderWaiting = ({ data, total }: Encoded<Static<typeof WaitingCredits>>, context: StaffContext): Html => {
  const { t, money } = context
  type Waiting = (typeof data)[number]
  const columns: Column<Waiting>[] = [
    {
      name: texts.words.forWhom,
      kind: 'main',
      cell: ({ member }) => renderName(`/staff/people/${member.id}`, personName(member, context)),
    },
    { name: texts.words.item, cell: ({ subscription_id: id, name }) => renderName(`${PATH}/${id}`, name) },
    { name: texts.words.credit, kind: 'num c-lead', cell: ({ credit, currency }) => money(credit, currency) },
  ]
  return renderPart(context, {
    id: 'waiting',
    title: t(text.waiting),
    columns,
    rows: data,
    below: total > data.length && t(texts.words.andMore, { n: total - data.length }),
  })
}

const formatNext = (one: SubscriptionShown, { t, day, language, viewer }: StaffContext): string => {
  const { next_charge_at: next, cancel_at: end } = one
  if (end !== null) return t(text.ends, { day: showEnd(end, language, viewer) })
  return next === null ? '' : day(next)
}

const buildColumns = (context: StaffContext): Column<SubscriptionShown>[] => {
  const { t, language } = context
  return [
    {
      name: texts.words.forWhom,
      kind: 'main',
      cell: ({ member }) =>
        renderName(`/staff/people/${member.id}`, isVisible(member.name) ? member.name : t(common.nobody)),
    },
    { name: texts.words.item, cell: ({ id, item }) => renderName(`${PATH}/${id}`, item.name) },
    { name: texts.words.status, cell: ({ status }) => statusPill(t(common.statuses[status]), status) },
    { name: text.collection, kind: 'low', cell: ({ collection }) => t(common.collections[collection]) },
    momentColumn(context, { name: heads.created, kind: 'date c-low', sort: '-created_at', at: one => one.created_at }),
    { name: heads.nextCharge, kind: 'date', sort: 'next_charge_at', cell: one => formatNext(one, context) },
    {
      name: texts.words.price,
      kind: 'lead',
      cell: ({ price }) => (price === null ? t(common.free) : termsText(price, language)),
    },
  ]
}

const findMembers = async ({ call }: StaffContext, q: string) => {
  const query: Pairs = [
    ['q', q],
    ['limit', '8'],
  ]
  const { data } = await call({ operation: 'listMembers', query, returns: MemberPage })
  return data
}

type Found = Awaited<ReturnType<typeof findMembers>>

const memberColumns = (context: StaffContext): Column<Found[number]>[] => [
  {
    name: texts.words.name,
    kind: 'main',
    cell: one => renderName(`${PATH}?member_id=${one.id}`, personName(one, context)),
  },
  { name: texts.words.email, cell: ({ email }) => html`<bdi>${email}</bdi>` },
]

const renderFound = (context: StaffContext, members: Found): Html =>
  renderPart(context, {
    id: 'found',
    title: context.t(texts.words.members),
    columns: memberColumns(context),
    rows: members,
    none: context.t(texts.words.noMembersFound),
  })

/** GET /staff/subscriptions. */
export const subscriptionList: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, async context => {
      const { t, call } = context
      const shown = await buildList().read(context)
      const list = buildList(shown.page.data[0]?.member)
      const words = formField(shown.given, 'q')
      const waiting =
        shown.given.length > 0 ? undefined : await call({ operation: 'listWaitingCredits', returns: WaitingCredits })
      const listed = showList(context, list, shown, {
        columns: buildColumns(context),
        rows: shown.page.data,
        action: html`<a class="button main" href="${PATH}/new">${t(common.add)}</a>`,
      })
      return context.frame({
        title: t(texts.words.subscriptions),
        ...listed,
        body: html`${waiting !== undefined && waiting.total > 0 && renderWaiting(waiting, context)}${words !== '' && renderFound(context, await findMembers(context, words))}${listed.body}`,
      })
    }),
  ],
}
