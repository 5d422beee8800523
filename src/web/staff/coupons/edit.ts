import { randomUUID } from 'node:crypto'
import { Coupon } from '#src/areas/coupons/index.ts'
import { School } from '#src/areas/school/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { atPage, formToken, isReply, languageAt, redirect } from '#src/web/account/index.ts'
import { formKeyIn, revisionOf } from '../form-fields.ts'
import { findItems, itemNames, itemTypeOf } from '../items.ts'
import { recentStaffOf, staffFormOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffSection } from '../section.ts'
import { blankForm, formOfCoupon, freeSettingsIn, settingsIn } from './coupon-form.ts'
import { type EditView, editPage } from './edit-page.ts'
import { type CouponShown, isUsed } from './shown.ts'

const idOf = ({ params }: EndpointRequest): string | undefined => params.id

// The address of the form says to which items the coupon is limited.
const chosenOf = ({ query }: EndpointRequest, coupon: CouponShown | undefined): string[] => {
  const parameters = new URLSearchParams(query)
  if (parameters.has('chosen')) return parameters.getAll('item').filter(id => itemTypeOf(id) !== undefined)
  return coupon?.items.map(({ id }) => id) ?? []
}

type Editing = { readonly coupon: CouponShown | undefined; readonly currency: string }

const editingOf = async (
  request: EndpointRequest,
  { performAs }: StaffPagesParts,
  session: Session,
): Promise<Editing> => {
  const person = atPage(request, session)
  const id = idOf(request)
  const [coupon, { currency }] = await Promise.all([
    id === undefined
      ? undefined
      : performAs(person, { operation: 'getCoupon', params: { coupon_id: id }, returns: Coupon }),
    performAs(person, { operation: 'getSchool', returns: School }),
  ])
  return { coupon, currency: coupon?.currency ?? currency }
}

const viewOf = async (
  request: EndpointRequest,
  { secret, performAs }: StaffPagesParts,
  session: Session,
  { coupon, currency }: Editing,
): Promise<EditView> => {
  const person = atPage(request, session)
  const ids = chosenOf(request, coupon)
  const find = (new URLSearchParams(request.query).get('find') ?? '').trim()
  const [names, found] = await Promise.all([
    itemNames(performAs, person, ids),
    find === '' ? undefined : findItems(performAs, person, find),
  ])
  return {
    school: request.school,
    language: languageAt(request, session),
    token: formToken(secret, request.school.id, { session }),
    formKey: randomUUID(),
    ...{ coupon, currency, find, found },
    chosen: ids.map((id, index) => ({ id, name: names[index] ?? id })),
    typed: coupon === undefined ? blankForm : formOfCoupon(coupon),
    refusal: undefined,
  }
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await recentStaffOf(request)
  if (isReply(session)) return session
  return editPage(await viewOf(request, parts, session, await editingOf(request, parts, session)))
}

const callOf = (request: EndpointRequest, form: Pairs, { coupon, currency }: Editing): PageCall<typeof Coupon> => {
  const ids = chosenOf(request, coupon)
  if (coupon === undefined)
    return { operation: 'createCoupon', body: settingsIn(form, ids, currency), ...formKeyIn(form), returns: Coupon }
  const body = isUsed(coupon) ? freeSettingsIn(form) : settingsIn(form, ids, currency)
  const params = { coupon_id: coupon.id }
  return { operation: 'updateCoupon', params, body, revision: revisionOf(form), returns: Coupon }
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const editing = await editingOf(request, parts, session)
  try {
    const { id } = await parts.performAs(atPage(request, session), callOf(request, form, editing))
    return redirect(`/staff/coupons/${id}?done=${editing.coupon === undefined ? 'created' : 'changed'}`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status === 404 || error.problem.status >= 500) throw error
    if (error.problem === signInRequired) return redirect(`${request.path}?${request.query}`)
    const current = await editingOf(request, parts, session)
    return editPage({ ...(await viewOf(request, parts, session, current)), typed: form, refusal: error })
  }
}

/** GET and POST /staff/coupons/new and /staff/coupons/:id/edit. */
export const couponEdit: StaffSection = {
  // The list and the page of a coupon lead to them.
  entries: [],
  endpoints: parts => [
    endpoint({ route: 'GET /staff/coupons/new', handle: request => show(request, parts) }),
    endpoint({ route: 'POST /staff/coupons/new', handle: request => submit(request, parts) }),
    endpoint({ route: 'GET /staff/coupons/:id/edit', handle: request => show(request, parts) }),
    endpoint({ route: 'POST /staff/coupons/:id/edit', handle: request => submit(request, parts) }),
  ],
}
