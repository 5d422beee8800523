import { buildInput, type CheckoutRow, quoteChanged } from '#src/areas/shop/index.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { isLinkKey, redirectInto } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { buildNotice, orderPage } from '#src/web/account/index.ts'
import {
  doneIn,
  formToken,
  type Notice,
  publicPage,
  readDone,
  readForm,
  readSession,
  redirect,
  visitors,
} from '#src/web/page/index.ts'
import { buildAddress } from './address.ts'
import { type Arriving, arrive, arrivedBefore } from './arrive.ts'
import { checkoutPath, type Found, findOwnCheckout } from './buyer.ts'
import { showNothing } from './look-page.ts'
import { mailCode } from './mailing.ts'
import { changedNotice, refusedNotice } from './notes.ts'
import type { CheckoutContext } from './parts.ts'
import { showMembersOnly, showProof } from './prove-page.ts'
import { cartOfRow, quoteFor } from './quote.ts'

const { code: text } = texts.checkout.common

const PATH = '/checkout/:checkout_id'

const usedPath = ({ id, order_number: number }: CheckoutRow): string | undefined =>
  number === null ? undefined : checkoutPath(id)

// The order of a checkout that was used, as our own books have it, whatever a provider said on the way back.
const showOrder = ({ request, parts }: CheckoutContext, number: string): Promise<Reply> =>
  orderPage(parts).handle({ ...request, params: { number } })

// The form of the first page, as it was sent.
const formPath = (row: CheckoutRow): string => `${buildAddress(cartOfRow(row))}&checkout=${toId('chk', row.id)}`

type Proof = { readonly value: string; readonly isLink: boolean }

const show = async (
  context: CheckoutContext,
  { row, bound }: Found,
  shown: { readonly proof?: Proof | undefined; readonly notice?: Notice | undefined; readonly isSubmitted?: true },
): Promise<Reply> => {
  const quoted = await quoteFor(context, buildInput(row))
  const hasChanged = row.quote_hash.toString('hex') !== quoted.quote.quote
  const changed = hasChanged ? changedNotice(row, quoted.quote, context) : undefined
  const view = {
    quoted,
    proof: shown.proof,
    notice: shown.notice ?? changed,
    token: formToken(context.parts.secret, context.school.id, bound),
    path: checkoutPath(row.id),
    back: formPath(row),
    email: row.email ?? '',
    // A page that is only shown is no refusal.
    ...(shown.notice === undefined && shown.isSubmitted === undefined ? { status: 200 } : {}),
  }
  return showProof(view, context)
}

// Whether the buyer is signed in meanwhile, as after another tab.
const hasArrived = async (request: EndpointRequest, { email }: CheckoutRow): Promise<boolean> => {
  const session = await readSession(request)
  return session !== undefined && email !== null && foldEmail(session.member.email) === foldEmail(email)
}

const readBound = async ({ request, parts }: CheckoutContext) => {
  const found = await findOwnCheckout(request)
  const form = await readForm(request, parts.secret, ...(found === undefined ? [] : [found.bound]))
  return { found, form }
}

const repeated = async (context: CheckoutContext, arriving: Arriving): Promise<Reply | undefined> => {
  const path = usedPath(arriving.row)
  if (path === undefined) return undefined
  const before = await arrivedBefore(context, arriving)
  return before === undefined ? redirect(path) : redirectInto(before.session, before.path)
}

type VisitorCheckout = { readonly row: CheckoutRow; readonly bound: { readonly browserBinding: string } }

// Mails another code, or a link to somebody who has an account.
const mailAgain = async (context: CheckoutContext, { row, bound }: VisitorCheckout): Promise<Reply> => {
  if (row.email === null || row.name === null) return showNothing(context, 'lost')
  const { email, name, id } = row
  const { browserBinding } = bound
  const mailed = await mailCode(context, { id, browserBinding, email, name, back: buildAddress(cartOfRow(row)) })
  if (mailed.kind === 'sent') return redirect(`${checkoutPath(id)}?done=sent`)
  const complaint = { error: 'too_many_codes', wait: mailed.wait } as const
  return show(context, { row, bound }, { notice: buildNotice(complaint, context) })
}

// Another tab may have used its code for the same new address: then the person signs in here with a link.
const failed = async (context: CheckoutContext, found: VisitorCheckout, failure: 'code' | 'taken'): Promise<Reply> => {
  if (failure === 'code') return show(context, found, { notice: buildNotice({ error: failure }, context) })
  return context.school.signupMode === 'open'
    ? mailAgain(context, found)
    : showMembersOnly(context, buildAddress(cartOfRow(found.row)))
}

/**
 * GET and POST /checkout/{id}: the page for the code, or the button after the link of the mail, which prove the address and
 * place the order; then the order, to which providers lead back. POST /checkout/{id}/codes: another code for the same checkout, in place of the earlier one.
 */
export const provePages = [
  publicPage(`GET ${PATH}`, visitors, async (context: CheckoutContext) => {
    const { request, query, language } = context
    const found = await findOwnCheckout(request)
    if (found === undefined) return showNothing(context, 'lost')
    const { row } = found
    if (row.order_number !== null) return showOrder(context, row.order_number)
    if (row.email === null || (await hasArrived(request, row))) return redirect(formPath(row))
    const key = query.get('key') ?? ''
    const proof = isLinkKey(key) ? { value: key, isLink: true } : undefined
    return show(context, found, { proof, notice: doneIn({ sent: text.sent }, readDone(request), language) })
  }),
  publicPage(`POST ${PATH}`, visitors, async (context: CheckoutContext) => {
    const { request } = context
    const { found, form } = await readBound(context)
    if (found === undefined || 'session' in found.bound) return showNothing(context, 'lost')
    const { row, bound } = found
    const typed = formField(form, 'code')
    const arriving = { row, browserBinding: bound.browserBinding, typed, quote: formField(form, 'quote') }
    const before = await repeated(context, arriving)
    if (before !== undefined) return before
    if (await hasArrived(request, row)) return redirect(formPath(row))
    const arrived = await arrive(context, arriving)
    if ('path' in arrived) return redirectInto(arrived.session, arrived.path)
    // The same form may have been posted at the same time.
    const now = await findOwnCheckout(request)
    const meanwhile = now === undefined ? undefined : await repeated(context, { ...arriving, row: now.row })
    if (meanwhile !== undefined) return meanwhile
    if ('failure' in arrived) return failed(context, { row, bound }, arrived.failure)
    const { problem } = arrived.refused
    const proof = { value: typed, isLink: isLinkKey(typed) }
    return problem === quoteChanged
      ? show(context, found, { proof, isSubmitted: true })
      : show(context, found, { proof, notice: refusedNotice(problem.code, context) })
  }),
  publicPage(`POST ${PATH}/codes`, visitors, async (context: CheckoutContext) => {
    const { found } = await readBound(context)
    if (found === undefined || 'session' in found.bound) return showNothing(context, 'lost')
    const { row, bound } = found
    const path = usedPath(row)
    return path === undefined ? mailAgain(context, { row, bound }) : redirect(path)
  }),
]
