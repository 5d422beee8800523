import type { Static } from 'typebox'
import { Coupon, CouponRedemptionPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formatDate, formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actForms,
  buildDoneTexts,
  buildOutcome,
  type Column,
  createList,
  factList,
  form,
  momentColumn,
  type PageContext,
  page,
  renderAct,
  renderName,
  submitAct,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { downloadLinks } from '../../csv.ts'
import { itemNames } from '../../items.ts'
import { renderList, renderPart } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import { couponActs } from './coupon.ts'
import { type CouponShown, formatWorth } from './shown.ts'

const { acts, common, coupon: text, couponRefusals, done, fields, list } = texts.staff.coupons
const { heads } = texts.staff.lists

const buildPath = ({ params }: PageContext): string => `/staff/coupons/${params.id}`

const readParams = ({ params }: PageContext) => ({ coupon_id: params.id ?? '' })

const formatDays = ({ starts_on, ends_on }: CouponShown, { t, language }: PageContext): string | undefined =>
  [
    ...(starts_on === null ? [] : [t(text.from, { day: formatDate(starts_on, language) })]),
    ...(ends_on === null ? [] : [t(texts.words.until, { day: formatDate(ends_on, language) })]),
  ].join(' ') || undefined

const describeTarget = (coupon: CouponShown, names: readonly string[], { t }: PageContext): string => {
  if (coupon.applies_to === 'items') return names.join(', ')
  if (coupon.applies_to === 'all') return t(text.everything)
  return coupon.item_types.map(type => t(common.types[type])).join(', ')
}

const facts = (coupon: CouponShown, names: readonly string[], context: PageContext): Html => {
  const { t, money } = context
  const { currency, times_redeemed: n, max_redemptions: most } = coupon
  const amount = (value: number | null) => (value && currency !== null ? money(value, currency) : undefined)
  const many = (value: number | null) => (value ? String(value) : undefined)
  const yes = (is: boolean) => (is ? t(texts.page.form.yes) : undefined)
  return factList([
    [t(text.value), formatWorth(coupon, context)],
    [t(text.appliesTo), describeTarget(coupon, names, context)],
    [t(text.days), formatDays(coupon, context)],
    [t(text.uses), most === null ? String(n) : t(text.usesOf, { n, most })],
    [t(text.held), many(coupon.times_held)],
    [t(fields.max_per_member.label), many(coupon.max_per_member)],
    [t(text.tookOff), amount(coupon.amount_total)],
    [t(text.budget), amount(coupon.max_amount)],
    [t(text.minimum), amount(coupon.minimum_amount)],
    [t(text.first), yes(coupon.first_purchase_only)],
    [t(text.stackable), yes(coupon.stackable)],
    [t(fields.tags.label), coupon.tags.join(', ') || undefined],
    [t(text.people), many(coupon.member_ids.length)],
    [t(texts.words.note), coupon.note ?? undefined],
  ])
}

type Code = CouponShown['codes'][number]

const codeColumns = (context: PageContext): Column<Code>[] => {
  const { t, language } = context
  return [
    { name: texts.words.code, kind: 'main', cell: ({ code }) => html`<bdi class="code">${code}</bdi>` },
    {
      name: texts.words.status,
      cell: ({ status }) =>
        status === 'stopped' ? statusPill(t(text.stopped), status) : statusPill(t(common.statuses.active), status),
    },
    { name: list.uses, kind: 'num', isNamed: true, cell: ({ times_redeemed: n }) => formatNumber(n, language) },
    {
      name: heads.change,
      kind: 'lead',
      cell: ({ id, code, status }) =>
        status !== 'stopped' &&
        renderAct(context, { name: code, act: 'stop', fields: { code_id: id }, texts: acts.stop }),
    },
  ]
}

const renderCodes = ({ id, codes, code_count: n }: CouponShown, context: PageContext): Html => {
  const { t } = context
  const csv = downloadLinks('listCouponCodes', { ...context, label: text.codesCsv }, [['coupon_id', id]])
  return renderPart(context, {
    id: 'codes',
    title: t(text.codes, { n }),
    columns: codeColumns(context),
    rows: codes,
    none: t(text.noCodes),
    below: n > 0 && html`${n > codes.length && html`<p>${t(text.firstCodes, { n: codes.length })}</p>`}${csv}`,
  })
}

type Use = Encoded<Static<typeof CouponRedemptionPage>>['data'][number]

const buildUses = (context: PageContext) =>
  createList({
    path: buildPath(context),
    operation: 'listCouponRedemptions',
    returns: CouponRedemptionPage,
    params: readParams(context),
    query: [['limit', '10']],
    filters: { status: text.states },
    texts: {
      filters: { status: texts.words.status },
      all: text.redemptions,
      none: text.noRedemptions,
      empty: text.noRedemptions,
    },
  })

const useColumns = (context: PageContext): Column<Use>[] => {
  const { t, money } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      cell: ({ member }) =>
        renderName(`/staff/people/${member.id}`, isVisible(member.name) ? member.name : t(texts.words.removedMember)),
    },
    {
      name: texts.words.order,
      cell: ({ order_id: id, code }) => renderName(`/staff/orders/${id}`, t(texts.words.order), code),
    },
    { name: texts.words.status, cell: ({ status }) => statusPill(t(text.states[status]), status) },
    momentColumn(context, { name: texts.words.date, at: ({ held_at }) => held_at }),
    { name: list.worth, kind: 'num c-lead', cell: ({ amount, currency }) => money(amount, currency) },
  ]
}

const doneTexts = { ...done, ...buildDoneTexts(acts) }

const show = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, call, parts, person } = context
  const coupon = await call({ operation: 'getCoupon', params: readParams(context), returns: Coupon })
  const uses = buildUses(context)
  const [used, names] = await Promise.all([
    uses.read(context),
    itemNames(
      parts.performAs,
      person,
      coupon.items.map(({ id }) => id),
    ),
  ])
  const code = coupon.codes.find(({ status }) => status === 'active')?.code
  const sets = Object.values(couponActs).flatMap(act => ('fields' in act ? [act.fields] : []))
  return context.frame({
    title: coupon.name,
    badge: statusPill(t(common.statuses[coupon.status]), coupon.status),
    ...buildOutcome(context, refused?.refusal, {
      sets,
      said: { ...staffText.refusals, ...couponRefusals },
      done: doneTexts,
    }),
    actions: html`${code !== undefined && html`<a class="button" href="/staff/coupons/preview?${String(new URLSearchParams({ code }))}">${t(text.try)}</a>\n`}<a class="button main" href="${buildPath(context)}/edit">${t(texts.words.edit)}</a>`,
    isWide: true,
    hasCards: true,
    body: html`<div class="split">
<div class="stack">${renderCodes(coupon, context)}
${renderList(context, uses, used, { heading: t(text.redemptions), columns: useColumns(context), rows: used.page.data })}</div>
<div class="stack"><section class="card" aria-label="${t(texts.words.details)}">${facts(coupon, names, context)}</section>
${actForms(context, { acts: couponActs, item: coupon, texts: acts, refused })}</div>
</div>`,
  })
}

/** GET and POST /staff/coupons/:id. */
export const couponDetail = [
  page('GET /staff/coupons/:id', staff, context => show(context)),
  form('POST /staff/coupons/:id', staff, (context, typed) =>
    submitAct(
      context,
      { acts: couponActs, typed, params: readParams(context) },
      {
        async perform(act, call) {
          await context.call(call)
          return act === 'delete' ? '/staff/coupons' : `${buildPath(context)}?done=${act}`
        },
        show: again => show(context, again),
      },
    ),
  ),
]
