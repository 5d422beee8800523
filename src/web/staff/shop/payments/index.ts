import { PaymentProviders, paymentMode, providerNames } from '#src/areas/school/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect } from '#src/web/page/index.ts'
import { recentStaffOf, staffFormOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { ownersOnlyPage, paymentsPage } from './page.ts'
import { paymentsText as text } from './text.ts'

const PATH = '/staff/payments'

const pageOf = async (
  request: EndpointRequest,
  { secret, performAs }: StaffPagesParts,
  session: Session,
  refusal?: Refusal,
): Promise<Reply> => {
  const call = { operation: 'getPaymentProviders', returns: PaymentProviders }
  const { data } = await performAs(atPage(request, session), call)
  return paymentsPage({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(secret, request.school.id, { session }),
    providers: data,
    allowsTest: paymentMode(request.school) === 'test',
    done: doneOf(request),
    refusal,
  })
}

const isOwner = ({ member }: Session): boolean => member.role === 'owner'

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await recentStaffOf(request)
  if (isReply(session)) return session
  return isOwner(session)
    ? pageOf(request, parts, session)
    : ownersOnlyPage(request.school, languageAt(request, session))
}

const INSTRUCTIONS = ['account_holder', 'iban', 'text'] as const

// All of them together; an empty field is left out of what buyers are told.
const instructionsIn = (form: Pairs): Record<string, unknown> => {
  if (formField(form, 'instructions') === '') return {}
  const fields = INSTRUCTIONS.map(
    name => [name, formField(form, name).replaceAll('\r\n', '\n').trim() || null] as const,
  )
  return { instructions: Object.fromEntries(fields) }
}

const callOf = (form: Pairs): PageCall<undefined> => {
  const provider = providerNames.find(name => name === formField(form, 'provider'))
  const act = formField(form, 'act')
  if (provider === undefined || (act !== 'set' && act !== 'remove'))
    throw new Refusal(formRefused, 'The form has no valid provider or action.')
  const params = { provider }
  if (act === 'remove') return { operation: 'removePaymentProvider', params }
  // The page offers what works.
  if (provider === 'stripe') throw new Refusal(formRefused, 'Payments by card are not possible yet.')
  return { operation: 'setPaymentProvider', params, body: instructionsIn(form) }
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  if (!isOwner(session)) return ownersOnlyPage(request.school, languageAt(request, session))
  const call = callOf(form)
  try {
    await parts.performAs(atPage(request, session), call)
    return redirect(`${PATH}?done=${call.operation === 'removePaymentProvider' ? 'removed' : 'set'}`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    // If the session ended meanwhile, that page asks for a new sign-in.
    return error.problem === signInRequired ? redirect(PATH) : pageOf(request, parts, session, error)
  }
}

/** GET and POST /staff/payments. */
export const payments: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'owner' }],
  pages: [
    parts => endpoint({ route: 'GET /staff/payments', handle: request => show(request, parts) }),
    parts => endpoint({ route: 'POST /staff/payments', handle: request => submit(request, parts) }),
  ],
}
