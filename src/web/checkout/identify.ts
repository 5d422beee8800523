import {
  type CheckoutInput,
  type CheckoutRow,
  countCheckout,
  errorsOfBuyer,
  findCheckout,
  quoteChanged,
  storeCheckout,
} from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { signInRequired } from '#src/contract/problems.ts'
import { findCode, isName, type Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { cleanEmail, cleanLine, foldEmail, isEmail, isStorable } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { buildNotice, type Complaint } from '#src/web/account/index.ts'
import { atPage, everybody, type Notice, publicForm, redirect } from '#src/web/page/index.ts'
import { buildAddress, type Cart, parseCart } from './address.ts'
import { buildCodePlace, computeBrowserHash, orderPath } from './buyer.ts'
import { billingIn } from './look.ts'
import { showLook, showNothing, type Typed } from './look-page.ts'
import { mailCode } from './mailing.ts'
import { changedNotice, refusedNotice, type ShownTotal } from './notes.ts'
import type { CheckoutContext } from './parts.ts'
import { place } from './place.ts'
import { answered, type Questions, readQuestions } from './questions.ts'
import { inputOfCart, type Quoted, type QuoteView, quoteFor } from './quote.ts'
import { isOrderable } from './summary.ts'

const { common: text } = texts.checkout

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

const refused = (phrase: Phrase, { t }: CheckoutContext): Notice => ({ kind: 'refused', text: t(phrase) })

const findPersonError = ({ name, email }: Typed): Complaint | undefined => {
  if (!isEmail(email) || !isStorable(email)) return { error: 'email' }
  return isName(name) ? undefined : { error: 'name' }
}

type Submitted = {
  readonly form: Pairs
  readonly typed: Typed
  readonly quoted: Quoted
  readonly questions: Questions
}

const billingNotice = ({ typed, quoted: { quote } }: Submitted, context: CheckoutContext): Notice | undefined => {
  if (quote.billing === 'none') return undefined
  const country = typed.country === '' ? null : typed.country
  const [error] = errorsOfBuyer({ country, tax_id: typed.taxId || null }, quote.billing === 'required')
  if (error === undefined) return undefined
  return refused(error.pointer.endsWith('tax_id') ? text.errors.tax_id : text.errors.country, context)
}

const agreesTo = ({ terms_page_id: terms, waiver }: QuoteView, { acceptsTerms, waives }: Typed): boolean =>
  (terms === null || acceptsTerms) && (waiver?.required !== true || waives)

// What keeps a form from going on, the first that is found; null where the page itself says why.
const findObstacle = (submitted: Submitted, context: CheckoutContext): Notice | null | undefined => {
  const { form, typed, quoted, questions } = submitted
  const { session } = context
  const { quote } = quoted
  if (!isOrderable(quote) || quote.refused.length > 0 || quote.refused_codes.length > 0 || quoted.isLimited) return null
  const complaint = session === undefined ? findPersonError(typed) : undefined
  if (complaint !== undefined) return buildNotice(complaint, context)
  const billing = billingNotice(submitted, context)
  if (billing !== undefined) return billing
  if (questions.errors.size > 0) return refused(text.errors.answers, context)
  if (!agreesTo(quote, typed)) return refused(text.errors.agree, context)
  return formField(form, 'quote') === quote.quote ? undefined : changedNotice(shownIn(form, quote), quote, context)
}

const buildInput = (cart: Cart, typed: Typed, quote?: QuoteView): CheckoutInput => {
  const billing = quote?.billing === 'none' ? undefined : billingIn(typed)
  return inputOfCart(cart, {
    ...(billing === undefined ? {} : { billing }),
    accept_terms: typed.acceptsTerms,
    waive_withdrawal: typed.waives,
  })
}

type Stored = { readonly id: string; readonly cart: Cart } & Pick<Submitted, 'typed' | 'quoted'>

const store = ({ request, school, bound }: CheckoutContext, stored: Stored): Promise<number> => {
  const { id, cart, typed, quoted } = stored
  const { quote } = quoted
  const { email, name } = typed
  return request.database.transaction(school.id, db =>
    storeCheckout(db, school.id, {
      id,
      browserHash: computeBrowserHash(bound),
      input: buildInput(cart, typed, quote),
      person: 'session' in bound ? undefined : { email, name },
      quote: { hash: Buffer.from(quote.quote, 'hex'), currency: quote.currency, total: quote.total },
    }),
  )
}

const findRow = ({ request, school, bound }: CheckoutContext, id: string): Promise<CheckoutRow | undefined> =>
  request.database.statements(school.id, db =>
    findCheckout(db, school.id, { id, browserHash: computeBrowserHash(bound) }),
  )

// A form that is posted twice sends one code.
const hasCode = async (
  { request, school }: CheckoutContext,
  row: CheckoutRow | undefined,
  typed: Typed,
  browserBinding: string,
) => {
  if (row?.email == null || foldEmail(row.email) !== foldEmail(typed.email)) return false
  const codePlace = buildCodePlace(row.id, browserBinding)
  return (await request.database.statements(school.id, db => findCode(db, school.id, codePlace))) !== undefined
}

const showUsed = (row: CheckoutRow | undefined, context: CheckoutContext): Reply =>
  row?.order_number == null
    ? showNothing(context, 'lost')
    : redirect(orderPath({ number: row.order_number, status: row.order_status ?? '' }))

type Again = (notice: Notice | undefined) => Reply

const beginAsVisitor = async (
  context: CheckoutContext,
  stored: Stored & { readonly browserBinding: string },
  again: Again,
): Promise<Reply> => {
  const { id, typed, browserBinding, cart } = stored
  const { request, school, t } = context
  const row = await findRow(context, id)
  const wait = await countCheckout(request.database, school, request.network)
  if (wait > 0)
    return again({ kind: 'refused', text: t(text.errors.too_many, { minutes: Math.ceil(wait / 60) }), wait })
  const isRepeated = await hasCode(context, row, typed, browserBinding)
  if ((await store(context, stored)) === 0) return showUsed(row, context)
  const path = `/checkout/${toId('chk', id)}`
  if (isRepeated) return redirect(path)
  const mailed = await mailCode(context, { ...typed, id, browserBinding, back: buildAddress(cart) })
  return mailed.kind === 'sent'
    ? redirect(path)
    : again(buildNotice({ error: 'too_many_codes', wait: mailed.wait }, context))
}

const orderAsMember = async (
  context: CheckoutContext,
  session: Session,
  stored: Stored,
  again: Again,
): Promise<Reply> => {
  const { id, quoted, cart } = stored
  const { request, parts, bound } = context
  if ((await store(context, stored)) === 0) return showUsed(await findRow(context, id), context)
  const checkout = { id, browserHash: computeBrowserHash(bound), quote: quoted.quote.quote }
  const placed = await place(parts, atPage(request, session), checkout)
  if ('path' in placed) return redirect(placed.path)
  const { problem } = placed.refused
  if (problem === signInRequired) return redirect(buildAddress(cart))
  return again(
    problem === quoteChanged ? refused(text.errors.changedOtherwise, context) : refusedNotice(problem.code, context),
  )
}

/** POST /checkout: a member orders; everybody else says who they are, and gets a code by mail. */
export const identifyForm = publicForm('POST /checkout', everybody, async (context, form) => {
  const { request, bound, language } = context
  const named = parseCart(request.query)
  if (typeof named === 'string') return showNothing(context, named)
  const id = fromId('chk', formField(form, 'id'))
  if (id === undefined) return showNothing(context, 'lost')
  const typed = typedIn(form)
  const quoted = await quoteFor(context, buildInput(named, typed))
  const asked = await readQuestions(context, quoted.quote)
  const { cart, questions } = answered(named, asked, form, language)
  // What was submitted and not done is refused, also where the page says why without a notice.
  const again = (notice: Notice | undefined): Reply => {
    const shown = { ...typed, email: typed.email.slice(0, MAX_EMAIL) }
    const reply = showLook({ id: toId('chk', id), cart, quoted, questions, notice, typed: shown }, context)
    return reply.status === 200 ? { ...reply, status: 400 } : reply
  }
  const obstacle = findObstacle({ form, typed, quoted, questions }, context)
  if (obstacle !== undefined) return again(obstacle ?? undefined)
  const stored = { id, cart, typed, quoted }
  return 'session' in bound
    ? orderAsMember(context, bound.session, stored, again)
    : beginAsVisitor(context, { ...stored, browserBinding: bound.browserBinding }, again)
})
