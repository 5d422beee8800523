import type { Static } from 'typebox'
import { Coupon, CouponRedemptionPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatDate } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actForms,
  actRow,
  buildDoneTexts,
  buildOutcome,
  factList,
  form,
  listRow,
  type PageContext,
  page,
  submitAct,
} from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { itemNames } from '../../items.ts'
import { staffText } from '../../pages/text.ts'
import { couponActs } from './coupon.ts'
import { type CouponShown, formatUses, formatWorth } from './shown.ts'

const { acts, common, coupon: text, couponRefusals, done, fields } = texts.staff.coupons

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
    [t(text.status), t(common.statuses[coupon.status])],
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

const codeRow = ({ id, code, status, times_redeemed }: CouponShown['codes'][number], context: PageContext): Html => {
  const { t } = context
  const isStopped = status === 'stopped'
  const shown = [formatUses(times_redeemed, t), ...(isStopped ? [t(text.stopped)] : [])]
  const act = isStopped ? undefined : 'stop'
  const fields = { code_id: id }
  return actRow(context, { name: code, about: shown.join(' · '), act, fields, texts: acts.stop })
}

const codesPart = ({ codes, code_count: n }: CouponShown, context: PageContext): Html => {
  const { t } = context
  return html`<h2>${t(text.codes, { n })}</h2>
${n === 0 ? html`<p>${t(text.noCodes)}</p>` : html`<ul class="list">\n${codes.map(code => codeRow(code, context))}</ul>`}
${n > codes.length && html`<p class="quiet">${t(text.firstCodes, { n: codes.length })}</p>`}
${n > 0 && csvLinks(`${buildPath(context)}/codes/csv`, { ...context, label: text.codesCsv })}`
}

type Uses = Encoded<Static<typeof CouponRedemptionPage>>

const useRow = (use: Uses['data'][number], { t, money, day }: PageContext): Html => {
  const { order_id, member, code, status, amount, currency, held_at } = use
  const name = isVisible(member.name) ? member.name : t(texts.words.removedMember)
  return listRow(`/staff/orders/${order_id}`, name, [
    code,
    money(amount, currency),
    t(text.states[status]),
    day(held_at),
  ])
}

const usesPart = ({ data, next_cursor: next }: Uses, context: PageContext): Html => {
  const { t } = context
  const path = buildPath(context)
  return html`<h2>${t(text.redemptions)}</h2>
${
  data.length === 0
    ? html`<p>${t(text.noRedemptions)}</p>`
    : html`<ul class="list menu">\n${data.map(use => useRow(use, context))}</ul>
${csvLinks(`${path}/redemptions/csv`, { ...context, label: text.redemptionsCsv })}`
}
${next !== undefined && html`<p><a rel="next" href="${path}?${String(new URLSearchParams({ cursor: next }))}">${t(text.next)}</a></p>`}`
}

const doneTexts = { ...done, ...buildDoneTexts(acts) }

const show = async (context: PageContext, refused?: Again): Promise<Reply> => {
  const { t, call, parts, person, query } = context
  const params = readParams(context)
  const coupon = await call({ operation: 'getCoupon', params, returns: Coupon })
  const cursor = query.get('cursor') ?? ''
  const position: Pairs = [['limit', '10'], ...(cursor === '' ? [] : [['cursor', cursor] as const])]
  const ids = coupon.items.map(({ id }) => id)
  const [uses, names] = await Promise.all([
    call({ operation: 'listCouponRedemptions', params, query: position, returns: CouponRedemptionPage }),
    itemNames(parts.performAs, person, ids),
  ])
  const code = coupon.codes.find(({ status }) => status === 'active')?.code
  const sets = Object.values(couponActs).flatMap(act => ('fields' in act ? [act.fields] : []))
  return context.frame({
    title: coupon.name,
    ...buildOutcome(context, refused?.refusal, {
      sets,
      said: { ...staffText.refusals, ...couponRefusals },
      done: doneTexts,
    }),
    body: html`${facts(coupon, names, context)}
<p><a class="button" href="${buildPath(context)}/edit">${t(texts.words.edit)}</a></p>
${code !== undefined && html`<p><a href="/staff/coupons/preview?${String(new URLSearchParams({ code }))}">${t(text.try)}</a></p>`}
${codesPart(coupon, context)}
${usesPart(uses, context)}
<h2>${t(texts.page.acts.decide)}</h2>
${actForms(context, { acts: couponActs, item: coupon, texts: acts, refused })}
<p class="quiet"><a href="/staff/coupons">${t(common.back)}</a></p>`,
  })
}

const declareCsv = (last: string, operation: string) =>
  page(`GET /staff/coupons/:id/${last}/csv`, staff, context =>
    exportList(context, { operation, params: readParams(context) }),
  )

/** GET and POST /staff/coupons/:id, and its codes and redemptions as CSV. */
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
  declareCsv('codes', 'listCouponCodes'),
  declareCsv('redemptions', 'listCouponRedemptions'),
]
