import { CouponQuote } from '#src/areas/coupons/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { CallAsPerson, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { atPage, isReply, languageAt } from '#src/web/account/index.ts'
import { findItems } from '../items.ts'
import { staffOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffSection } from '../section.ts'
import { type PreviewView, previewPage } from './preview-page.ts'

const PATH = '/staff/coupons/preview'

type Tried = Pick<PreviewView, 'quote' | 'refusal'>

const tryCode = async (
  performAs: CallAsPerson,
  person: SignedInPerson,
  code: string,
  prices: readonly string[],
): Promise<Tried> => {
  if (code === '' || prices.length === 0) return { quote: undefined, refusal: undefined }
  const query = [
    ['code', code],
    ['price_id[in]', prices.join(',')],
  ] as const
  try {
    return {
      quote: await performAs(person, { operation: 'getCouponQuote', query, returns: CouponQuote }),
      refusal: undefined,
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    return { quote: undefined, refusal: error }
  }
}

const show = async (request: EndpointRequest, { performAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const person = atPage(request, session)
  const parameters = new URLSearchParams(request.query)
  const [code, find] = [(parameters.get('code') ?? '').trim(), (parameters.get('find') ?? '').trim()]
  const prices = [...new Set(parameters.getAll('price').filter(id => id !== ''))]
  const [tried, found] = await Promise.all([
    tryCode(performAs, person, code, prices),
    find === '' ? undefined : findItems(performAs, person, find),
  ])
  const language = languageAt(request, session)
  return previewPage({ school: request.school, language, code, find, prices, found, ...tried })
}

/** GET /staff/coupons/preview: what a code does to some prices, without using it. */
export const couponPreview: StaffSection = {
  // The list and the page of a coupon lead to it.
  entries: [],
  endpoints: parts => [endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) })],
}
