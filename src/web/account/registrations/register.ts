import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Event, Occurrence, Registered, type TicketType, TicketTypePage } from '#src/areas/events/index.ts'
import { checkAnswers, type Field } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { soldOut } from '#src/contract/offer.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatAmount } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { idPattern } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import {
  ambiguous,
  form,
  formKeyIn,
  hidden,
  noticeFor,
  orNothing,
  page,
  redirect,
  shownAgain,
  typedAmount,
} from '#src/web/page/index.ts'
import { answersIn, completeField, errorsByField, fieldsHtml } from '#src/web/questions/index.ts'
import { backLink } from '../links.ts'
import { type AccountContext, owner } from '../parts.ts'
import { AGAIN, askAgain } from './held.ts'
import { formatDates, LIST } from './shown.ts'

const { registrations: text } = texts.account

const PRICE = new RegExp(idPattern('prc'))
const OCCURRENCE = new RegExp(idPattern('occ'))

// What somebody registers for, and what they are asked: by the event, and first whether they want one more seat.
type Chosen = {
  readonly event: Encoded<Static<typeof Event>>
  readonly occurrence: Encoded<Static<typeof Occurrence>>
  readonly ticket: Encoded<Static<typeof TicketType>>
  readonly fields: readonly Field[]
}

const findChosen = (context: AccountContext, typed: Pairs): Promise<Chosen | undefined> | undefined => {
  const { call } = context
  const [price, occurrenceId] = [formField(typed, 'price'), formField(typed, 'occurrence')]
  if (!PRICE.test(price) || !OCCURRENCE.test(occurrenceId)) return undefined
  const read = async () => {
    const of = { occurrence_id: occurrenceId }
    const occurrence = await call({ operation: 'getOccurrence', params: of, returns: Occurrence })
    const params = { event_id: occurrence.event_id }
    const query = [...Object.entries(of), ['limit', '100'] as const]
    const [event, tickets, again] = await Promise.all([
      call({ operation: 'getEvent', params, returns: Event }),
      call({ operation: 'listTicketTypes', params, query, returns: TicketTypePage }),
      askAgain(context, occurrenceId),
    ])
    const ticket = tickets.data.find(one => one.price_id === price)
    return ticket && { event, occurrence, ticket, fields: [...again, ...event.questions.map(completeField)] }
  }
  return orNothing(read())
}

/** What was typed, and refused. */
type Shown = { readonly typed: Pairs; readonly refusal?: Refusal | undefined }

const seatFields = ({ ticket }: Chosen, { typed }: Shown, { t }: AccountContext): Html => {
  const { min_per_order: least, max_per_order: most } = ticket
  if (most === 1) return html`<input type="hidden" name="quantity" value="1">`
  return html`<label for="quantity">${t(text.quantity)}</label>
<input id="quantity" name="quantity" type="number" min="${least}" max="${most}" value="${formField(typed, 'quantity') || String(least)}" required>
<label for="names">${t(text.names)}</label>
<textarea id="names" name="names" rows="2" maxlength="2500" aria-describedby="names-hint">
${formField(typed, 'names')}</textarea>
<p class="quiet hint" id="names-hint">${t(text.namesHint)}</p>`
}

// Why the amount is refused: what it may mean, or what it is at least.
const amountError = ({ ticket }: Chosen, { refusal }: Shown, { t, language }: AccountContext): string | undefined => {
  const error = refusal?.extras.errors?.find(({ pointer }) => pointer === '/amount')
  if (error === undefined) return undefined
  const least = formatAmount(ticket.least_amount, ticket.currency, language)
  return t(error.code === 'ambiguous' ? ambiguous : text.notAmount, error.values ?? { least })
}

const amountField = (chosen: Chosen, shown: Shown, context: AccountContext): Html | false => {
  const { t, language } = context
  const { amount, currency, least_amount: least } = chosen.ticket
  if (least === null) return false
  const error = amountError(chosen, shown, context)
  const value = formField(shown.typed, 'amount') || formatAmount(amount, currency, language)
  return html`<label for="amount">${t(text.amount, { currency })}</label>
<input id="amount" name="amount" type="text" inputmode="decimal" maxlength="15" value="${value}" required${error !== undefined && html` aria-invalid="true" aria-describedby="amount-error"`}>${error !== undefined && html`\n<p class="note" id="amount-error">${error}</p>`}`
}

// One can wait where nobody decides who comes.
const canWait = ({ event, ticket }: Chosen): boolean => event.waitlist && !ticket.needs_approval

const isFull = ({ occurrence, ticket }: Chosen): boolean => occurrence.seats_left === 0 || ticket.seats_left === 0

// What is typed once a form has been shown without the question is sent by a second click, and registers once.
const fieldsIn = ({ fields }: Chosen, typed: Pairs): readonly Field[] =>
  formField(typed, 'form_key') === '' || formField(typed, 'asks') === 'yes'
    ? fields
    : fields.filter(({ id }) => id !== AGAIN)

const answersTo = (chosen: Chosen, typed: Pairs, { language }: AccountContext) =>
  answersIn(typed, fieldsIn(chosen, typed), { language })

// The pages of one form: a seat is taken, or waited for.
const ways = {
  new: { path: `${LIST}/new`, title: text.new, act: text.register, waits: false },
  wait: { path: `${LIST}/wait`, title: text.waitlist.title, act: text.waitlist.join, waits: true },
} as const

type Way = (typeof ways)[keyof typeof ways]

const formFields = (chosen: Chosen, shown: Shown, context: AccountContext, { act }: Way): Html => {
  const { occurrence, ticket, fields } = chosen
  const { t, language } = context
  const { typed, refusal } = shown
  const errors = errorsByField(refusal?.extras.errors ?? [], answersTo(chosen, typed, context))
  const asks = fields.some(({ id }) => id === AGAIN) ? { asks: 'yes' } : {}
  return html`${hidden({ form_key: randomUUID(), price: ticket.price_id, occurrence: occurrence.id, ...asks })}${seatFields(chosen, shown, context)}
${amountField(chosen, shown, context)}
${fieldsHtml({ fields, language, typed, errors })}
<div class="buttons"><button class="main" type="submit">${t(act)}</button></div>`
}

/** The page where what somebody wants to register for is not there. */
export const showGone = ({ t, frame, language }: Pick<AccountContext, 't' | 'frame' | 'language'>): Reply =>
  frame({
    title: t(texts.words.yourRegistrations),
    status: 404,
    body: html`<p>${t(text.gone)}</p>
<p><a href="/events">${t(texts.words.seeAllEvents)}</a></p>
${backLink(language)}`,
  })

const show = (chosen: Chosen | undefined, shown: Shown, context: AccountContext, way: Way): Reply => {
  const { t, form, frame, money, language } = context
  if (chosen === undefined) return showGone(context)
  const { event, occurrence, ticket } = chosen
  const { amount, currency, least_amount: least, needs_approval: needsApproval, name } = ticket
  const price = amount === 0 || least !== null ? '' : ` · ${money(amount, currency)}`
  const when = formatDates(occurrence, language)
  return frame({
    title: t(way.title, { event: event.name }),
    ...noticeFor(shown.refusal, language, { said: text.refusals }),
    body: html`<p><bdi>${t(text.newAbout, { ticket: name, when })}${price}</bdi></p>
${needsApproval && html`<p>${t(text.approval)}</p>`}
${way.waits && html`<p>${t(text.waitlist.about, { n: occurrence.waiting })}</p>`}
${form(formFields(chosen, shown, context, way), way.path)}
<p><a href="/events/${event.slug}"><bdi>${event.name}</bdi></a></p>
${backLink(language)}`,
  })
}

const attendeesIn = (typed: Pairs) =>
  formField(typed, 'names')
    .split('\n')
    .map(name => name.trim())
    .filter(name => name !== '')
    .map(name => ({ name }))

// What is no number or amount stays as it was typed, which the operation refuses.
const buildBody = (chosen: Chosen, typed: Pairs, context: AccountContext, { waits }: Way) => {
  const { occurrence, ticket } = chosen
  const { language } = context
  const [quantity, amount] = [formField(typed, 'quantity').trim(), formField(typed, 'amount').trim()]
  const answers = answersTo(chosen, typed, context).filter(({ field_id: id }) => id !== AGAIN)
  const attendees = attendeesIn(typed)
  return {
    price_id: ticket.price_id,
    occurrence_id: occurrence.id,
    quantity: readWhole(quantity, 4) ?? quantity,
    ...(ticket.least_amount === null
      ? {}
      : { amount: typedAmount(amount, { pointer: '/amount', currency: ticket.currency, language }) }),
    ...(attendees.length === 0 ? {} : { attendees }),
    ...(answers.length === 0 ? {} : { answers }),
    join_waitlist: waits,
  }
}

type RegisteredShown = {
  readonly order: { readonly number: string; readonly status: string } | null
  readonly data: readonly { readonly status: string }[]
}

/** Where somebody continues who has registered. */
export const pathAfter = ({ order, data }: RegisteredShown): string => {
  if (order !== null && order.status !== 'paid') return `/account/orders/${order.number}/pay`
  const [first] = data
  if (first?.status === 'waitlisted') return `${LIST}?done=waiting`
  return `${LIST}?done=${first?.status === 'awaiting_approval' ? 'asked' : 'registered'}`
}

// Whether one more seat is wanted is a question of the page alone.
const checkAgain = (chosen: Chosen, typed: Pairs, context: AccountContext): void => {
  const fields = fieldsIn(chosen, typed).filter(({ id }) => id === AGAIN)
  const { errors } = checkAnswers(fields, answersIn(typed, fields, context))
  if (errors.length > 0) throw new Refusal(invalidBody, 'There is a seat of this date already.', { errors })
}

const submit = async (context: AccountContext, typed: Pairs, way: Way): Promise<Reply> => {
  const chosen = await findChosen(context, typed)
  if (chosen === undefined) return showGone(context)
  return shownAgain(
    async () => {
      checkAgain(chosen, typed, context)
      const body = buildBody(chosen, typed, context, way)
      const call = { operation: 'createAccountRegistration', body, ...formKeyIn(typed), returns: Registered }
      return pathAfter(await context.call(call))
    },
    async refusal => {
      const now = await findChosen(context, typed)
      const mayWait = refusal.problem === soldOut && now !== undefined && canWait(now)
      return show(now, { typed, refusal }, context, mayWait ? ways.wait : way)
    },
    ({ problem }) => problem === notFound,
  )
}

// Where no seat is left one waits, and where one is left nobody waits.
const open = async (context: AccountContext, way: Way): Promise<Reply> => {
  const given = [...context.query]
  const chosen = await findChosen(context, given)
  if (chosen !== undefined && (canWait(chosen) && isFull(chosen)) !== way.waits) {
    const { path } = way.waits ? ways.new : ways.wait
    return redirect(`${path}?${context.query}`)
  }
  const typed = ['quantity', 'amount'].map(name => [name, cleanLine(formField(given, name), 15)] as const)
  return show(chosen, { typed }, context, way)
}

/** GET and POST /account/registrations/new and /wait: somebody registers for a date of an event, or waits for a seat. */
export const registerPages = Object.values(ways).flatMap(way => [
  page(`GET ${way.path}`, owner, context => open(context, way)),
  form(`POST ${way.path}`, owner, (context, typed) => submit(context, typed, way)),
])
