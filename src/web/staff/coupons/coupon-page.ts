import type { Static } from 'typebox'
import type { CouponRedemptionPage } from '#src/areas/coupon-redemptions/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { amountIn, dayOf, doneIn, formOf, framed } from '#src/web/account/index.ts'
import { field, folded, hidden, inputs } from '../pages/fields.ts'
import { refusedIn } from '../pages/refused.ts'
import { type CouponAct, couponActs } from './coupon-acts.ts'
import { couponText as text } from './coupon-text.ts'
import { type CouponShown, isUsed, usesOf, worthOf } from './shown.ts'
import { couponRefusals, couponsText } from './text.ts'

/** What the page of a coupon shows. */
export type CouponView = {
  readonly school: School
  readonly language: Language
  readonly viewer: Session['member']
  readonly token: string
  readonly formKey: string
  readonly done: string
  readonly coupon: CouponShown
  /** The names of the items it is limited to. */
  readonly names: readonly string[]
  readonly redemptions: Encoded<Static<typeof CouponRedemptionPage>>['data']
  readonly next: string | undefined
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: CouponAct; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

const pathOf = ({ coupon }: CouponView): string => `/staff/coupons/${coupon.id}`

const targetOf = ({ coupon, names, language }: CouponView): string => {
  if (coupon.applies_to === 'items') return names.join(', ')
  const types = coupon.item_types.map(type => fill(couponsText.types[type], language))
  return coupon.applies_to === 'types' ? types.join(', ') : fill(text.everything, language)
}

const daysOf = ({ coupon, language, viewer }: CouponView): string | undefined => {
  const { starts_on, ends_on } = coupon
  // The days are days of the school; noon is that day in every zone of a viewer nearby.
  const day = (one: string) => dayOf(new Date(`${one}T12:00:00Z`), language, { ...viewer, timeZone: 'UTC' })
  const parts = [
    starts_on === null ? undefined : fill(text.from, language, { day: day(starts_on) }),
    ends_on === null ? undefined : fill(text.until, language, { day: day(ends_on) }),
  ].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' ')
}

const rowsOf = (view: CouponView): readonly (readonly [string, string | undefined])[] => {
  const { coupon, language } = view
  const { currency, times_redeemed: n, max_redemptions: most, times_held: held } = coupon
  const money = (amount: number | null) =>
    amount === null || amount === 0 || currency === null ? undefined : amountIn(amount, currency, language)
  const yes = (is: boolean) => (is ? fill(text.yes, language) : undefined)
  const many = (value: number | null) => (value === null || value === 0 ? undefined : String(value))
  return [
    [fill(text.value, language), worthOf(coupon, language)],
    [fill(text.status, language), fill(couponsText.statuses[coupon.status], language)],
    [fill(text.appliesTo, language), targetOf(view)],
    [fill(text.days, language), daysOf(view)],
    [fill(text.uses, language), most === null ? String(n) : fill(text.usesOf, language, { n, most })],
    [fill(text.held, language), many(held)],
    [fill(text.perMember, language), many(coupon.max_per_member)],
    [fill(text.tookOff, language), money(coupon.amount_total)],
    [fill(text.budget, language), money(coupon.max_amount)],
    [fill(text.minimum, language), money(coupon.minimum_amount)],
    [fill(text.first, language), yes(coupon.first_purchase_only)],
    [fill(text.stackable, language), yes(coupon.stackable)],
    [fill(text.tags, language), coupon.tags.length === 0 ? undefined : coupon.tags.join(', ')],
    [fill(text.people, language), many(coupon.member_ids.length)],
    [fill(text.note, language), coupon.note ?? undefined],
  ]
}

const facts = (view: CouponView): Html => html`<dl class="facts">
${rowsOf(view).map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>\n`)}</dl>`

type Code = CouponShown['codes'][number]

const stopForm = ({ id, code }: Code, view: CouponView): Html => {
  const { token, language } = view
  const label = fill(text.acts.stop.button, language)
  const inside = html`${hidden({ act: 'stop', code_id: id })}<button type="submit" aria-label="${label}: ${code}">${label}</button>`
  return formOf(pathOf(view), token, inside)
}

const codeItem = (code: Code, view: CouponView): Html => {
  const { language } = view
  const used = usesOf(code.times_redeemed, language)
  const isStopped = code.status === 'stopped'
  const facts = isStopped ? `${used} · ${fill(text.stopped, language)}` : used
  return html`<li class="act"><span><bdi><code>${code.code}</code></bdi><br><span class="quiet">${facts}</span></span>${!isStopped && stopForm(code, view)}</li>
`
}

const codesPart = (view: CouponView): Html => {
  const { coupon, language } = view
  const { codes, code_count: n } = coupon
  return html`<h2>${fill(text.codes, language, { n })}</h2>
${n === 0 ? html`<p>${fill(text.noCodes, language)}</p>` : html`<ul class="list">\n${codes.map(code => codeItem(code, view))}</ul>`}
${n > codes.length && html`<p class="quiet">${fill(text.firstCodes, language, { n: codes.length })}</p>`}
${n > 0 && html`<p><a href="${pathOf(view)}/codes/csv">${fill(text.codesCsv, language)}</a></p>`}`
}

const redemptionItem = (one: CouponView['redemptions'][number], view: CouponView): Html => {
  const { language, viewer } = view
  const { order_id, member, code, status, amount, currency, held_at } = one
  const name = isVisible(member.name) ? member.name : fill(text.nobody, language)
  const facts = [
    code,
    amountIn(amount, currency, language),
    fill(text.states[status], language),
    dayOf(new Date(held_at), language, viewer),
  ]
  return html`<li><a href="/staff/orders/${order_id}"><bdi>${name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const redemptionsPart = (view: CouponView): Html => {
  const { redemptions, next, language } = view
  return html`<h2>${fill(text.redemptions, language)}</h2>
${
  redemptions.length === 0
    ? html`<p>${fill(text.noRedemptions, language)}</p>`
    : html`<ul class="list menu">\n${redemptions.map(one => redemptionItem(one, view))}</ul>
<p><a href="${pathOf(view)}/redemptions/csv">${fill(text.redemptionsCsv, language)}</a></p>`
}
${next !== undefined && html`<p><a rel="next" href="${pathOf(view)}?${String(new URLSearchParams({ cursor: next }))}">${fill(text.next, language)}</a></p>`}`
}

const typed = ({ refused }: CouponView, act: CouponAct, name: string): string =>
  refused?.act === act ? formField(refused.form, name) : ''

const fields: Partial<Record<CouponAct, (view: CouponView) => Html>> = {
  code: view =>
    field({
      name: 'code',
      label: fill(text.code, view.language),
      value: typed(view, 'code', 'code'),
      attributes: html`type="text" maxlength="64" autocomplete="off" required`,
      hint: fill(text.codeHint, view.language),
    }),
  generate: view =>
    html`<div class="pair"><div>${field({ name: 'count', label: fill(text.count, view.language), value: typed(view, 'generate', 'count') || '10', attributes: inputs.number })}</div><div>${field({ name: 'prefix', label: fill(text.prefix, view.language), value: typed(view, 'generate', 'prefix'), attributes: html`type="text" maxlength="20" autocomplete="off"` })}</div></div>`,
}

const actForm = (act: CouponAct, view: CouponView): Html => {
  const { token, language, coupon, formKey, refused } = view
  const { title, about, button } = text.acts[act]
  const inside = html`${hidden({ act, revision: coupon.revision, form_key: `${act}-${formKey}` })}${fields[act]?.(view)}
<div class="buttons"><button type="submit">${fill(button, language)}</button></div>`
  const isOpen = refused?.act === act || (act === 'code' && coupon.code_count === 0)
  return folded(
    fill(title, language),
    html`<p class="quiet">${fill(about, language)}</p>
${formOf(pathOf(view), token, inside)}`,
    isOpen,
  )
}

const isArchived = ({ archived_at }: CouponShown): boolean => archived_at !== null

// What a coupon does not allow is not offered; the operation decides all the same. Codes are stopped in their list.
const isOffered: Readonly<Record<CouponAct, (coupon: CouponShown) => boolean>> = {
  code: coupon => !isArchived(coupon),
  generate: coupon => !isArchived(coupon),
  stop: () => false,
  on: coupon => !coupon.active && !isArchived(coupon),
  off: coupon => coupon.active && !isArchived(coupon),
  archive: coupon => !isArchived(coupon),
  unarchive: isArchived,
  delete: coupon => !isUsed(coupon),
}

const links = (view: CouponView): Html => {
  const { coupon, language } = view
  const code = coupon.codes.find(({ status }) => status === 'active')?.code
  return html`<p><a class="button" href="${pathOf(view)}/edit">${fill(text.edit, language)}</a></p>
${code !== undefined && html`<p><a href="/staff/coupons/preview?${String(new URLSearchParams({ code }))}">${fill(text.try, language)}</a></p>`}`
}

/** One coupon with its codes and uses, and what staff can do about it. */
export const couponPage = (view: CouponView): Reply => {
  const { language, coupon, refused, done } = view
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, couponRefusals)
  return framed({
    school: view.school,
    language,
    title: coupon.name,
    ...notice,
    body: html`${facts(view)}
${links(view)}
${codesPart(view)}
${redemptionsPart(view)}
<h2>${fill(text.decide, language)}</h2>
${couponActs.filter(act => isOffered[act](coupon)).map(act => actForm(act, view))}
<p class="quiet"><a href="/staff/coupons">${fill(couponsText.back, language)}</a></p>`,
  })
}
