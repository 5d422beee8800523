import {
  type CheckoutInput,
  type CheckoutRow,
  countCheckout,
  errorsOfBuyer,
  findCheckout,
  quoteChanged,
  storeCheckout,
} from '#src/areas/shop/index.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { signInRequired } from '#src/contract/problems.ts'
import { findCode, isName } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { cleanEmail, cleanLine, foldEmail, isEmail, isStorable } from '#src/kit/text.ts'
import { browserBindingOf, type Complaint, noticeOf } from '#src/web/account/index.ts'
import { atPage, languageAt, type Notice, readForm, redirect, sessionOf } from '#src/web/page/index.ts'
import { addressOf, type Cart, parseCart } from './address.ts'
import { type Bound, browserHashOf, codePlaceOf, orderPath } from './buyer.ts'
import { billingIn, lookReply } from './look.ts'
import { mailCode } from './mailing.ts'
import { nothingPage, type Typed } from './pages/look.ts'
import { changedNotice, refusedNotice, type ShownTotal } from './pages/notes.ts'
import { isOrderable } from './pages/summary.ts'
import { checkoutText as text } from './pages/text.ts'
import type { CheckoutPagesParts } from './parts.ts'
import { place } from './place.ts'
import { answered, type Questions, ticketQuestions } from './questions.ts'
import { inputOfCart, type Quoted, type QuoteView, quoteFor } from './quote.ts'

// Longer than a name may be, so that a long name is refused and not truncated.
const LONGEST_NAME = 200
const MAX_EMAIL = 254

const typedIn = (form: Pairs): Typed => ({
  email: cleanEmail(formField(form, 'email')),
  name: cleanLine(formField(form, 'name'), LONGEST_NAME),
  country: formField(form, 'country').trim().slice(0, 2),
  company: cleanLine(formField(form, 'company'), 120),
  taxId: cleanLine(formField(form, 'tax_id'), 30),
  acceptsTerms: formField(form, 'accept_terms') === 'yes',
  waives: formField(form, 'waive_withdrawal') === 'yes',
})

const shownIn = (form: Pairs, { total, currency }: QuoteView): ShownTotal => {
  const before = Number(formField(form, 'total'))
  const isSame = formField(form, 'currency') === currency
  // What a browser sends back is only shown again, and never charged.
  return { total: isSame && Number.isSafeInteger(before) && before >= 0 ? before : total, currency }
}

const refused = (phrase: Parameters<typeof fill>[0], language: Language): Notice => ({
  kind: 'refused',
  text: fill(phrase, language),
})

const personErrorOf = ({ name, email }: Typed): Complaint | undefined => {
  if (!isEmail(email) || !isStorable(email)) return { error: 'email' }
  return isName(name) ? undefined : { error: 'name' }
}

type Submitted = {
  readonly bound: Bound
  readonly form: Pairs
  readonly typed: Typed
  readonly quoted: Quoted
  readonly questions: Questions
  readonly language: Language
}

const billingNotice = ({ typed, quoted: { quote }, language }: Submitted): Notice | undefined => {
  if (quote.billing === 'none') return undefined
  const country = typed.country === '' ? null : typed.country
  const [error] = errorsOfBuyer({ country, tax_id: typed.taxId || null }, quote.billing === 'required')
  if (error === undefined) return undefined
  return refused(error.pointer.endsWith('tax_id') ? text.errors.tax_id : text.errors.country, language)
}

const agreesTo = ({ terms_page_id: terms, waiver }: QuoteView, { acceptsTerms, waives }: Typed): boolean =>
  (terms === null || acceptsTerms) && (waiver?.required !== true || waives)

// What keeps a form from going on, the first that is found; null where the page itself says why.
const findObstacle = (submitted: Submitted): Notice | null | undefined => {
  const { bound, form, typed, quoted, questions, language } = submitted
  const { quote } = quoted
  if (!isOrderable(quote) || quote.refused.length > 0 || quote.refused_codes.length > 0 || quoted.isLimited) return null
  const complaint = 'session' in bound ? undefined : personErrorOf(typed)
  if (complaint !== undefined) return noticeOf({ complaint, language })
  const billing = billingNotice(submitted)
  if (billing !== undefined) return billing
  if (questions.errors.size > 0) return refused(text.errors.answers, language)
  if (!agreesTo(quote, typed)) return refused(text.errors.agree, language)
  return formField(form, 'quote') === quote.quote ? undefined : changedNotice(shownIn(form, quote), quote, language)
}

const inputOf = (cart: Cart, typed: Typed, quote?: QuoteView): CheckoutInput => {
  const billing = quote?.billing === 'none' ? undefined : billingIn(typed)
  return inputOfCart(cart, {
    ...(billing === undefined ? {} : { billing }),
    accept_terms: typed.acceptsTerms,
    waive_withdrawal: typed.waives,
  })
}

type Stored = { readonly id: string; readonly cart: Cart } & Pick<Submitted, 'bound' | 'typed' | 'quoted'>

const store = (request: EndpointRequest, { id, cart, bound, typed, quoted: { quote } }: Stored): Promise<number> => {
  const { database, school } = request
  const { email, name } = typed
  return database.transaction(school.id, db =>
    storeCheckout(db, school.id, {
      id,
      browserHash: browserHashOf(bound),
      input: inputOf(cart, typed, quote),
      person: 'session' in bound ? undefined : { email, name },
      quote: { hash: Buffer.from(quote.quote, 'hex'), currency: quote.currency, total: quote.total },
    }),
  )
}

const findRow = ({ database, school }: EndpointRequest, id: string, bound: Bound): Promise<CheckoutRow | undefined> =>
  database.statements(school.id, db => findCheckout(db, school.id, { id, browserHash: browserHashOf(bound) }))

// A form that is posted twice sends one code.
const hasCode = async (
  request: EndpointRequest,
  row: CheckoutRow | undefined,
  typed: Typed,
  browserBinding: string,
) => {
  const { database, school } = request
  if (row?.email == null || foldEmail(row.email) !== foldEmail(typed.email)) return false
  const codePlace = codePlaceOf(row.id, browserBinding)
  return (await database.statements(school.id, db => findCode(db, school.id, codePlace))) !== undefined
}

const usedReply = (row: CheckoutRow | undefined): Reply | undefined =>
  row?.order_number == null
    ? undefined
    : redirect(orderPath({ number: row.order_number, status: row.order_status ?? '' }))

type Again = (notice: Notice | undefined) => Reply

const lost = (request: EndpointRequest): Reply =>
  nothingPage({ school: request.school, language: languageAt(request) }, 'lost')

const beginAsVisitor = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  stored: Stored & { readonly browserBinding: string },
  again: Again,
): Promise<Reply> => {
  const { id, bound, typed, browserBinding } = stored
  const { database, school, network } = request
  const language = languageAt(request)
  const row = await findRow(request, id, bound)
  const wait = await countCheckout(database, school, network)
  if (wait > 0)
    return again({
      ...refused(text.errors.too_many, language),
      text: fill(text.errors.too_many, language, { minutes: Math.ceil(wait / 60) }),
      wait,
    })
  const isRepeated = await hasCode(request, row, typed, browserBinding)
  if ((await store(request, stored)) === 0) return usedReply(row) ?? lost(request)
  const path = `/checkout/${toId('chk', id)}`
  if (isRepeated) return redirect(path)
  const mailed = await mailCode(request, parts, { ...typed, id, browserBinding, back: addressOf(stored.cart) })
  return mailed.kind === 'sent'
    ? redirect(path)
    : again(noticeOf({ complaint: { error: 'too_many_codes', wait: mailed.wait }, language }))
}

const orderAsMember = async (
  request: EndpointRequest,
  parts: CheckoutPagesParts,
  stored: Stored & { readonly bound: { readonly session: Parameters<typeof atPage>[1] } },
  again: Again,
): Promise<Reply> => {
  const { id, bound, quoted } = stored
  const language = languageAt(request, bound.session)
  if ((await store(request, stored)) === 0) return usedReply(await findRow(request, id, bound)) ?? lost(request)
  const by = atPage(request, bound.session)
  const placed = await place(parts, by, { id, browserHash: browserHashOf(bound), quote: quoted.quote.quote })
  if ('path' in placed) return redirect(placed.path)
  const { problem } = placed.refused
  if (problem === signInRequired) return redirect(addressOf(stored.cart))
  return again(
    problem === quoteChanged ? refused(text.errors.changedOtherwise, language) : refusedNotice(problem.code, language),
  )
}

/** POST /checkout: a member orders; everybody else says who they are, and gets a code by mail. */
export const submitLook = async (request: EndpointRequest, parts: CheckoutPagesParts): Promise<Reply> => {
  const session = await sessionOf(request)
  const browserBinding = browserBindingOf(request) ?? ''
  const bound: Bound = session === undefined ? { browserBinding } : { session }
  const form = await readForm(request, parts.secret, ...('session' in bound || browserBinding !== '' ? [bound] : []))
  const language = languageAt(request, session)
  const named = parseCart(request.query)
  if (typeof named === 'string') return nothingPage({ school: request.school, language }, named)
  const id = fromId('chk', formField(form, 'id'))
  if (id === undefined) return lost(request)
  const typed = typedIn(form)
  const quoted = await quoteFor(request, parts, session, inputOf(named, typed))
  const asked = await ticketQuestions(request, parts, session, quoted.quote)
  const { cart, questions } = answered(named, asked, form, language)
  // What was submitted and not done is refused, also where the page says why without a notice.
  const again = (notice: Notice | undefined): Reply => {
    const reply = lookReply(request, parts, {
      ...{ bound, cart, quoted, questions, notice, id: toId('chk', id) },
      typed: { ...typed, email: typed.email.slice(0, MAX_EMAIL) },
    })
    return reply.status === 200 ? { ...reply, status: 400 } : reply
  }
  const obstacle = findObstacle({ bound, form, typed, quoted, questions, language })
  if (obstacle !== undefined) return again(obstacle ?? undefined)
  const stored = { id, cart, typed, quoted }
  return session === undefined
    ? beginAsVisitor(request, parts, { ...stored, bound, browserBinding }, again)
    : orderAsMember(request, parts, { ...stored, bound: { session } }, again)
}
