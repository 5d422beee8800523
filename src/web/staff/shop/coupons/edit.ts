import { randomUUID } from 'node:crypto'
import { School } from '#src/areas/school/index.ts'
import { Coupon } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  form,
  formKeyIn,
  hidden,
  mainButton,
  noticeFor,
  type PageContext,
  page,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import { blankCoupon, couponFields, freeFields } from './coupon.ts'
import { chosenItems, itemsPart, targetIn, typeBoxes, typePairs, withItems } from './items.ts'
import { type CouponShown, isUsed } from './shown.ts'

const { common, couponRefusals, edit: text } = texts.staff.coupons

// Undefined for a new coupon.
const readCoupon = async ({ call, params }: PageContext): Promise<CouponShown | undefined> =>
  params.id === undefined
    ? undefined
    : call({ operation: 'getCoupon', params: { coupon_id: params.id }, returns: Coupon })

const createReader = async ({ call, language }: PageContext, coupon: CouponShown | undefined) => ({
  language,
  currency: coupon?.currency ?? (await call({ operation: 'getSchool', returns: School })).currency,
})

// What is asked first, and what stands beside each other among the limits.
const first = ['name', 'kind', 'percent_off', 'amount_off', 'trial_days', 'ends_on', 'max_redemptions', 'note'] as const
const limits = [
  ['starts_on', 'max_per_member'],
  ['minimum_amount', 'max_amount'],
] as const

type Again = { readonly typed: Pairs; readonly refusal: Refusal }

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language, request, form: readForm } = context
  const coupon = await readCoupon(context)
  const reader = await createReader(context, coupon)
  const ids = chosenItems(context, coupon)
  const stored =
    coupon === undefined
      ? couponFields.pairs(blankCoupon, reader)
      : [...couponFields.pairs(coupon, reader), ...typePairs(coupon)]
  const state = { ...reader, typed: again?.typed ?? stored, refusal: again?.refusal }
  const isFixed = coupon !== undefined && isUsed(coupon)
  const about =
    coupon === undefined
      ? hidden({ form_key: formField(state.typed, 'form_key') || randomUUID() })
      : hidden({ revision: coupon.revision })
  const more = html`<details class="filters"${coupon !== undefined && html` open`}>
<summary>${t(text.limits)}</summary>
${ids.length === 0 && typeBoxes(context, state.typed)}
${couponFields.rows(state, [...limits, ...couponFields.others(...first, ...limits.flat())])}</details>`
  const inside = html`${about}${couponFields.rows(state, ['name'])}
${isFixed ? html`<p class="note">${t(text.fixed)}</p>` : couponFields.rows(state, ['kind', ['percent_off', 'amount_off', 'trial_days']])}
${couponFields.rows(state, [['ends_on', 'max_redemptions'], 'note'])}
${!isFixed && more}
${mainButton(t(coupon === undefined ? text.create : texts.words.save))}`
  return context.frame({
    title: coupon === undefined ? t(common.add) : t(texts.words.editName, { name: coupon.name }),
    parents: coupon === undefined ? [] : [{ path: `/staff/coupons/${coupon.id}`, name: coupon.name }],
    ...noticeFor(again?.refusal, language, {
      sets: [couponFields],
      said: { ...staffText.refusals, ...couponRefusals },
    }),
    body: html`${coupon === undefined && html`<p>${t(text.intro)}</p>`}
${!isFixed && (await itemsPart(context, request.path, ids))}
${readForm(inside, withItems(request.path, ids))}`,
  })
}

const store = async (context: PageContext, typed: Pairs): Promise<string> => {
  const coupon = await readCoupon(context)
  const reader = await createReader(context, coupon)
  const names = coupon !== undefined && isUsed(coupon) ? freeFields : undefined
  const body = {
    ...couponFields.body(typed, reader, names),
    ...(names === undefined ? targetIn(typed, chosenItems(context, coupon)) : {}),
  }
  const { id } = await context.call(
    coupon === undefined
      ? { operation: 'createCoupon', body, ...formKeyIn(typed), returns: Coupon }
      : {
          operation: 'updateCoupon',
          params: { coupon_id: coupon.id },
          body,
          revision: revisionIn(typed),
          returns: Coupon,
        },
  )
  return `/staff/coupons/${id}?done=${coupon === undefined ? 'created' : 'changed'}`
}

const submit = (context: StaffContext, typed: Pairs): Promise<Reply> =>
  shownAgain(
    () => store(context, typed),
    refusal => show(context, { typed, refusal }),
  )

/** GET and POST /staff/coupons/new and /staff/coupons/:id/edit. */
export const couponEdit = [
  page('GET /staff/coupons/new', staff, context => show(context)),
  form('POST /staff/coupons/new', staff, submit),
  page('GET /staff/coupons/:id/edit', staff, context => show(context)),
  form('POST /staff/coupons/:id/edit', staff, submit),
]
