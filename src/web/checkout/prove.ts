import { type CheckoutRow, inputOf, quoteChanged } from '#src/areas/shop/index.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { isLinkKey, redirectInto } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { noticeOf } from '#src/web/account/index.ts'
import { doneOf, formToken, languageAt, type Notice, readForm, redirect, sessionOf } from '#src/web/page/index.ts'
import { addressOf } from './address.ts'
import { arrive, arrivedBefore } from './arrive.ts'
import { type Bound, checkoutOf, orderPath } from './buyer.ts'
import { mailCode } from './mailing.ts'
import { nothingPage } from './pages/look.ts'
import { changedNotice, refusedNotice } from './pages/notes.ts'
import { membersOnlyPage, provePage } from './pages/prove.ts'
import { checkoutText as text } from './pages/text.ts'
import type { CheckoutPagesParts } from './parts.ts'
import { cartOfRow, quoteFor } from './quote.ts'

type Found = { readonly row: CheckoutRow; readonly bound: Bound }

const lost = (request: EndpointRequest): Reply =>
  nothingPage({ school: request.school, language: languageAt(request) }, 'lost')

const usedPath = ({ order_number: number, order_status: status }: CheckoutRow): string | undefined =>
  number === null ? undefined : orderPath({ number, status: status ?? '' })

type Proof = { readonly value: string; readonly isLink: boolean }

const pageOf = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  { row, bound }: Found,
  shown: { readonly proof?: Proof | undefined; readonly notice?: Notice | undefined; readonly isSubmitted?: true },
): Promise<Reply> => {
  const { school } = request
  const language = languageAt(request)
  const quoted = await quoteFor(request, parts, undefined, inputOf(row))
  const hasChanged = row.quote_hash.toString('hex') !== quoted.quote.quote
  const changed = hasChanged ? changedNotice(row, quoted.quote, language) : undefined
  return provePage({
    ...{ school, language, quoted, proof: shown.proof, notice: shown.notice ?? changed },
    token: formToken(parts.secret, school.id, bound),
    path: `/checkout/${toId('chk', row.id)}`,
    back: addressOf(cartOfRow(row)),
    email: row.email ?? '',
    // A page that is only shown is no refusal.
    ...(shown.notice === undefined && shown.isSubmitted === undefined ? { status: 200 } : {}),
  })
}

const sentNotice = (request: EndpointRequest): Notice | undefined =>
  doneOf(request) === 'sent' ? { kind: 'done', text: fill(text.code.sent, languageAt(request)) } : undefined

/** GET /checkout/{id}: the page for the code, or the button after the link of the mail; the order, once there is one. */
export const showProve = async (request: EndpointRequest, parts: CheckoutPagesParts): Promise<Reply> => {
  const found = await checkoutOf(request)
  if (found === undefined) return lost(request)
  const path = usedPath(found.row)
  if (path !== undefined) return redirect(path)
  if (found.row.email === null || (await hasArrived(request, found.row)))
    return redirect(addressOf(cartOfRow(found.row)))
  const key = new URLSearchParams(request.query).get('key') ?? ''
  const proof = isLinkKey(key) ? { value: key, isLink: true } : undefined
  return pageOf(request, parts, found, { proof, notice: sentNotice(request) })
}

const readBound = async (request: EndpointRequest, { secret }: CheckoutPagesParts) => {
  const found = await checkoutOf(request)
  const form = await readForm(request, secret, ...(found === undefined ? [] : [found.bound]))
  return { found, form }
}

const repeated = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  arriving: Parameters<typeof arrive>[2],
): Promise<Reply | undefined> => {
  const path = usedPath(arriving.row)
  if (path === undefined) return undefined
  const session = await arrivedBefore(request, parts, arriving)
  return session === undefined ? redirect(path) : redirectInto(session, path)
}

type VisitorCheckout = { readonly row: CheckoutRow; readonly bound: { readonly browserBinding: string } }

// Mails another code, or a link to somebody who has an account.
const mailAgain = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  { row, bound }: VisitorCheckout,
): Promise<Reply> => {
  if (row.email === null || row.name === null) return lost(request)
  const { email, name, id } = row
  const { browserBinding } = bound
  const mailed = await mailCode(request, parts, { id, browserBinding, email, name, back: addressOf(cartOfRow(row)) })
  if (mailed.kind === 'sent') return redirect(`/checkout/${toId('chk', id)}?done=sent`)
  const complaint = { error: 'too_many_codes', wait: mailed.wait } as const
  return pageOf(request, parts, { row, bound }, { notice: noticeOf({ complaint, language: languageAt(request) }) })
}

// Another tab may have used its code for the same new address: then the person signs in here with a link.
const failed = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  found: VisitorCheckout,
  failure: 'code' | 'taken',
): Promise<Reply> => {
  const language = languageAt(request)
  const { school } = request
  if (failure === 'code')
    return pageOf(request, parts, found, { notice: noticeOf({ complaint: { error: failure }, language }) })
  return school.signupMode === 'open'
    ? mailAgain(request, parts, found)
    : membersOnlyPage({ school, language, back: addressOf(cartOfRow(found.row)) })
}

// Whether the buyer is signed in meanwhile, as after another tab.
const hasArrived = async (request: EndpointRequest, { email }: CheckoutRow): Promise<boolean> => {
  const session = await sessionOf(request)
  return session !== undefined && email !== null && foldEmail(session.member.email) === foldEmail(email)
}

/** POST /checkout/{id}: the code or the link proves the address, and the order is placed. */
export const submitProve = async (request: EndpointRequest, parts: CheckoutPagesParts): Promise<Reply> => {
  const { found, form } = await readBound(request, parts)
  if (found === undefined || 'session' in found.bound) return lost(request)
  const { row, bound } = found
  const typed = formField(form, 'code')
  const arriving = { row, browserBinding: bound.browserBinding, typed, quote: formField(form, 'quote') }
  const before = await repeated(request, parts, arriving)
  if (before !== undefined) return before
  if (await hasArrived(request, row)) return redirect(addressOf(cartOfRow(row)))
  const arrived = await arrive(request, parts, arriving)
  if ('path' in arrived) return redirectInto(arrived.session, arrived.path)
  // The same form may have been posted at the same time.
  const now = await checkoutOf(request)
  const meanwhile = now === undefined ? undefined : await repeated(request, parts, { ...arriving, row: now.row })
  if (meanwhile !== undefined) return meanwhile
  if ('failure' in arrived) return failed(request, parts, { row, bound }, arrived.failure)
  const { problem } = arrived.refused
  const language = languageAt(request)
  const proof = { value: typed, isLink: isLinkKey(typed) }
  return pageOf(request, parts, found, {
    ...(problem === quoteChanged
      ? { proof, isSubmitted: true }
      : { notice: refusedNotice(problem.code, language), proof }),
  })
}

/** POST /checkout/{id}/codes: another code for the same checkout, in place of the earlier one. */
export const sendAgain = async (request: EndpointRequest, parts: CheckoutPagesParts): Promise<Reply> => {
  const { found } = await readBound(request, parts)
  if (found === undefined || 'session' in found.bound) return lost(request)
  const { row, bound } = found
  const path = usedPath(row)
  return path === undefined ? mailAgain(request, parts, { row, bound }) : redirect(path)
}
