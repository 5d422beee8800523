import { randomUUID } from 'node:crypto'
import { CouponRedemptionPage } from '#src/areas/coupon-redemptions/index.ts'
import { Coupon } from '#src/areas/coupons/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect } from '#src/web/account/index.ts'
import { itemNames } from '../items.ts'
import { refusalOf, staffFormOf, staffOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffSection } from '../section.ts'
import { actOf, callOf } from './coupon-acts.ts'
import { type CouponView, couponPage } from './coupon-page.ts'

const paramsOf = ({ params }: EndpointRequest) => ({ coupon_id: params.id ?? '' })

const pageOf = async (
  request: EndpointRequest,
  { secret, performAs }: StaffPagesParts,
  session: Session,
  refused?: CouponView['refused'],
): Promise<Reply> => {
  const person = atPage(request, session)
  const params = paramsOf(request)
  const coupon = await performAs(person, { operation: 'getCoupon', params, returns: Coupon })
  const cursor = new URLSearchParams(request.query).get('cursor') ?? ''
  const query: Pairs = [['limit', '10'], ...(cursor === '' ? [] : [['cursor', cursor] as const])]
  const [redemptions, names] = await Promise.all([
    performAs(person, { operation: 'listCouponRedemptions', params, query, returns: CouponRedemptionPage }),
    itemNames(
      performAs,
      person,
      coupon.items.map(({ id }) => id),
    ),
  ])
  return couponPage({
    school: request.school,
    language: languageAt(request, session),
    viewer: session.member,
    token: formToken(secret, request.school.id, { session }),
    formKey: randomUUID(),
    done: doneOf(request),
    ...{ coupon, names, refused },
    redemptions: redemptions.data,
    next: redemptions.next_cursor,
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  return isReply(session) ? session : pageOf(request, parts, session)
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const { coupon_id: id } = paramsOf(request)
  const act = actOf(form)
  const performed = async () => parts.performAs(atPage(request, session), callOf(act, form, id))
  const refusal = await refusalOf(performed())
  const path = `/staff/coupons/${id}`
  if (refusal === undefined) return redirect(act === 'delete' ? '/staff/coupons' : `${path}?done=${act}`)
  // If the session ended meanwhile, that page asks for a new sign-in.
  return refusal.problem === signInRequired ? redirect(path) : pageOf(request, parts, session, { act, form, refusal })
}

const exportCsv = async (request: EndpointRequest, parts: StaffPagesParts, operation: string): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  return parts.exportAs(atPage(request, session), { operation, params: paramsOf(request) })
}

/** GET and POST /staff/coupons/:id, and its codes and redemptions as CSV. */
export const couponDetails: StaffSection = {
  // The list of coupons leads to each of them.
  entries: [],
  endpoints: parts => [
    endpoint({ route: 'GET /staff/coupons/:id', handle: request => show(request, parts) }),
    endpoint({ route: 'POST /staff/coupons/:id', handle: request => submit(request, parts) }),
    endpoint({
      route: 'GET /staff/coupons/:id/codes/csv',
      handle: request => exportCsv(request, parts, 'listCouponCodes'),
    }),
    endpoint({
      route: 'GET /staff/coupons/:id/redemptions/csv',
      handle: request => exportCsv(request, parts, 'listCouponRedemptions'),
    }),
  ],
}
