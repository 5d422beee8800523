import { randomUUID } from 'node:crypto'
import {
  type CheckoutInput,
  type CheckoutRow,
  countCheckout,
  findCheckout,
  quoteChanged,
  storeCheckout,
} from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { signInRequired } from '#src/contract/problems.ts'
import { findCode, type Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { buildNotice } from '#src/web/account/index.ts'
import { atPage, buildErrorNotice, everybody, type Notice, publicForm, redirect } from '#src/web/page/index.ts'
import { buildAddress, type Cart, changeCart, parseCart } from './address.ts'
import { buildCodePlace, checkoutPath, computeBrowserHash } from './buyer.ts'
import { type Complaints, findComplaints, type Submitted } from './complaints.ts'
import { readItems } from './items.ts'
import { showLook, showNothing } from './look-page.ts'
import { mailCode } from './mailing.ts'
import { changedNotice, refusedNotice, type ShownTotal } from './notes.ts'
import type { CheckoutContext } from './parts.ts'
import { findNext, place } from './place.ts'
import { answered, readQuestions } from './questions.ts'
import { inputOfCart, type QuoteView, quoteForm } from './quote.ts'
import { isOrderable } from './summary.ts'
import { billingIn, type Typed, typedIn } from './typed.ts'
import { canPay, findWay, readWays } from './ways.ts'

const { common: text } = texts.checkout

const MAX_EMAIL = 254

const shownIn = (form: Pairs, { total, currency }: QuoteView): ShownTotal => {
  const before = Number(formField(form, 'total'))
  const isSame = formField(form, 'currency') === currency
  // What a browser sends back is only shown again, and never charged.
  return { total: isSame && Number.isSafeInteger(before) && before >= 0 ? before : total, currency }
}

const refused = (phrase: Phrase, { t }: CheckoutContext): Notice => ({ kind: 'refused', text: t(phrase) })

type Obstacle = { readonly errors: Complaints; readonly notice?: Notice }

// What keeps a form from going on; without a notice where the page itself says why.
const findObstacle = (submitted: Submitted, context: CheckoutContext): Obstacle | undefined => {
  const { form, quoted, ways } = submitted
  const { quote } = quoted
  if (!isOrderable(quote) || quote.refused.length > 0 || quote.refused_codes.length > 0 || quoted.isLimited)
    return { errors: [] }
  const errors = findComplaints(submitted, context)
  if (errors.length > 0) return { errors, notice: buildErrorNotice(errors) }
  if (!canPay(ways)) return { errors: [] }
  if (formField(form, 'quote') === quote.quote) return undefined
  return { errors: [], notice: changedNotice(shownIn(form, quote), quote, context) }
}

const buildInput = (cart: Cart, typed: Typed, quote?: QuoteView): CheckoutInput => {
  const billing = quote?.billing === 'none' ? undefined : billingIn(typed)
  return inputOfCart(cart, {
    ...(billing === undefined ? {} : { billing }),
    accept_terms: typed.acceptsTerms,
    waive_withdrawal: typed.waives,
  })
}

type Stored = { readonly id: string; readonly cart: Cart } & Pick<Submitted, 'typed' | 'quoted' | 'ways'>

const store = ({ request, school, bound }: CheckoutContext, stored: Stored): Promise<number> => {
  const { id, cart, typed, quoted, ways } = stored
  const { quote } = quoted
  const { email, name } = typed
  return request.database.transaction(school.id, db =>
    storeCheckout(db, school.id, {
      id,
      browserHash: computeBrowserHash(bound),
      input: buildInput(cart, typed, quote),
      ...findWay(ways, typed.method),
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
  row?.order_number == null ? showNothing(context, 'lost') : redirect(checkoutPath(row.id))

// A form that is posted again finds the order that it placed, which now waits for payment or gave what it is about.
const continueUsed = async (context: CheckoutContext, id: string): Promise<Reply | undefined> => {
  const { bound, parts, request } = context
  const row = await findRow(context, id)
  if (row === undefined || row.order_number === null) return undefined
  if (!('session' in bound)) return redirect(checkoutPath(id))
  const checkout = { id, browserHash: computeBrowserHash(bound), quote: '' }
  const placed = await place(parts, atPage(request, bound.session), checkout)
  return 'order' in placed ? redirect(await findNext(context, row, placed.order)) : undefined
}

type Again = (notice: Notice | undefined, errors?: Complaints) => Promise<Reply>

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
  const path = checkoutPath(id)
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
  const { id, quoted, cart, ways, typed } = stored
  const { request, parts, bound } = context
  // A form that is posted again finds the order that it placed.
  const isStored = (await store(context, stored)) > 0
  const checkout = { id, browserHash: computeBrowserHash(bound), quote: quoted.quote.quote }
  const placed = await place(parts, atPage(request, session), checkout)
  if ('order' in placed) {
    const method_id = findWay(ways, typed.method).methodId ?? null
    return redirect(await findNext(context, { id, method_id }, placed.order))
  }
  const { problem } = placed.refused
  if (problem === signInRequired) return redirect(buildAddress(cart))
  if (!isStored) return showNothing(context, 'lost')
  return again(
    problem === quoteChanged ? refused(text.errors.changedOtherwise, context) : refusedNotice(problem.code, context),
  )
}

type Said = Stored & Submitted

// What a form says now, with the cart as it changes it.
const readSaid = async (
  context: CheckoutContext,
  { id, before, form }: { readonly id: string; readonly before: Cart; readonly form: Pairs },
): Promise<Said> => {
  const typed = typedIn(form)
  const wanted = { cart: changeCart(before, form, typed.code), input: (cart: Cart) => buildInput(cart, typed) }
  const { cart: kept, quoted } = await quoteForm(context, before, wanted)
  const asked = await readQuestions(context, quoted.quote)
  const { cart, questions } = answered(kept, asked, form, context.language)
  const ways = await readWays(context, quoted.quote)
  // A code that applies is in the sum, and another one stays in its field.
  const isApplied = !quoted.isLimited && !quoted.quote.refused_codes.some(({ code }) => code === typed.code)
  return { id, cart, quoted, ways, questions, form, typed: isApplied ? { ...typed, code: '' } : typed }
}

type Sent = { readonly id: string; readonly said: Said; readonly again: Again }

// What was posted, and the form that shows it again; a page without one where nothing is named.
const readSent = async (context: CheckoutContext, form: Pairs, id: string | undefined): Promise<Sent | Reply> => {
  const before = parseCart(context.request.query)
  if (typeof before === 'string') return showNothing(context, before)
  if (id === undefined) return showNothing(context, 'lost')
  const said = await readSaid(context, { id, before, form })
  const again: Again = async (notice, errors = []) => {
    const typed = { ...said.typed, email: said.typed.email.slice(0, MAX_EMAIL) }
    const items = await readItems(context, said.quoted.quote)
    return showLook({ ...said, id: toId('chk', id), items, notice, errors, typed }, context)
  }
  return { id, said, again }
}

// What was to be paid and was not is refused, also where the page says why without a notice.
const refuse =
  (again: Again): Again =>
  async (notice, errors) => {
    const reply = await again(notice, errors)
    return reply.status === 200 ? { ...reply, status: 400 } : reply
  }

const submit = async (context: CheckoutContext, form: Pairs): Promise<Reply> => {
  const { bound } = context
  const sent = await readSent(context, form, fromId('chk', formField(form, 'id')))
  if ('status' in sent) return sent
  const { id, said, again } = sent
  if (formField(form, 'act') !== 'pay') return again(undefined)
  const obstacle = findObstacle(said, context)
  if (obstacle !== undefined)
    return (await continueUsed(context, id)) ?? refuse(again)(obstacle.notice, obstacle.errors)
  return 'session' in bound
    ? orderAsMember(context, bound.session, said, refuse(again))
    : beginAsVisitor(context, { ...said, browserBinding: bound.browserBinding }, refuse(again))
}

// A form that was shown to somebody else in this browser, or to nobody, comes back as one of whoever sent it.
const showAgain = async (context: CheckoutContext, form: Pairs): Promise<Reply> => {
  const sent = await readSent(context, form, randomUUID())
  if ('status' in sent) return sent
  return { ...(await sent.again(refused(text.errors.sentAsOther, context))), status: 403 }
}

/**
 * POST /checkout with `act=pay`: a member orders and pays; everybody else gets a code by mail first. Any other button shows the
 * form again, with the sum of what it says now, and so does each after a sign-in or sign-out in another tab.
 */
export const identifyForm = publicForm('POST /checkout', everybody, submit, showAgain)
