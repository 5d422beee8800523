import { randomUUID } from 'node:crypto'
import { Event, Occurrence, Registered, RegistrationPage, TicketTypePage } from '#src/areas/events/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { idPattern } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import {
  atPage,
  doneOf,
  formToken,
  isReply,
  languageAt,
  personOf,
  readForm,
  redirect,
  typedAmount,
} from '#src/web/page/index.ts'
import { answersIn, completeField, errorsByField } from '#src/web/questions/index.ts'
import { type Chosen, registrationForm } from './pages/registration-form.ts'
import { registrationsPage } from './pages/registrations.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/registrations'
const PAGE = '20'
const MAX_CURSOR = 500
const REGISTRATION = new RegExp(idPattern('reg'))
const PRICE = new RegExp(idPattern('prc'))
const OCCURRENCE = new RegExp(idPattern('occ'))

const listReply = async (
  request: EndpointRequest,
  { performAs, secret }: AccountPagesParts,
  session: Session,
  refusal?: Refusal,
): Promise<Reply> => {
  const cursor = cleanLine(new URLSearchParams(request.query).get('cursor') ?? '', MAX_CURSOR)
  const { data, next_cursor: next } = await performAs(atPage(request, session), {
    operation: 'listAccountRegistrations',
    query: [['limit', PAGE], ...(cursor === '' ? [] : [['cursor', cursor] as const])],
    returns: RegistrationPage,
  })
  return registrationsPage({
    school: request.school,
    language: languageAt(request, session),
    person: session.member,
    token: formToken(secret, request.school.id, { session }),
    done: doneOf(request),
    ...{ registrations: data, next, refusal },
  })
}

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : listReply(request, parts, session)
}

type RegisteredView = {
  readonly order: { readonly number: string; readonly status: string } | null
  readonly data: readonly { readonly status: string }[]
}

// Where somebody continues who has registered.
const pathAfter = ({ order, data }: RegisteredView): string => {
  if (order !== null && order.status !== 'paid') return `/account/orders/${order.number}/pay`
  const [first] = data
  if (first?.status === 'waitlisted') return `${PATH}?done=waiting`
  return `${PATH}?done=${first?.status === 'awaiting_approval' ? 'asked' : 'registered'}`
}

const act = async (
  request: EndpointRequest,
  { performAs }: AccountPagesParts,
  session: Session,
  form: Pairs,
): Promise<string> => {
  const id = formField(form, 'registration')
  if (!REGISTRATION.test(id)) return PATH
  const params = { registration_id: id }
  const person = atPage(request, session)
  if (formField(form, 'act') === 'take')
    return pathAfter(
      await performAs(person, { operation: 'acceptAccountRegistration', params, body: {}, returns: Registered }),
    )
  await performAs(person, { operation: 'cancelAccountRegistration', params })
  return `${PATH}?done=cancelled`
}

// What was refused is shown on the page of the form; a session that ended leads to sign-in.
const answered = async (
  work: () => Promise<string>,
  again: (refusal: Refusal) => Promise<Reply>,
  back: string,
): Promise<Reply> => {
  try {
    return redirect(await work())
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    return error.problem === signInRequired ? redirect(back) : again(error)
  }
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const form = await readForm(request, parts.secret, { session })
  return answered(
    () => act(request, parts, session, form),
    refusal => listReply(request, parts, session, refusal),
    PATH,
  )
}

type Choice = { readonly price: string; readonly occurrence: string }

const choiceIn = (read: (name: string) => string): Choice | undefined => {
  const [price, occurrence] = [read('price'), read('occurrence')]
  return PRICE.test(price) && OCCURRENCE.test(occurrence) ? { price, occurrence } : undefined
}

const findChosen = async (
  request: EndpointRequest,
  { performAs }: AccountPagesParts,
  session: Session,
  { price, occurrence: id }: Choice,
): Promise<Chosen | undefined> => {
  const person = atPage(request, session)
  try {
    const occurrence = await performAs(person, {
      operation: 'getOccurrence',
      params: { occurrence_id: id },
      returns: Occurrence,
    })
    const params = { event_id: occurrence.event_id }
    const [event, tickets] = await Promise.all([
      performAs(person, { operation: 'getEvent', params, returns: Event }),
      performAs(person, { operation: 'listTicketTypes', params, query: [['limit', '100']], returns: TicketTypePage }),
    ])
    const ticket = tickets.data.find(one => one.price_id === price)
    return ticket && { event, occurrence, ticket }
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

type Registering = {
  readonly request: EndpointRequest
  readonly parts: AccountPagesParts
  readonly session: Session
  readonly choice: Choice | undefined
  readonly typed: Pairs
}

const formReply = async ({ request, parts, session, choice, typed }: Registering, refusal?: Refusal) => {
  const chosen = choice && (await findChosen(request, parts, session, choice))
  return registrationForm({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(parts.secret, request.school.id, { session }),
    key: randomUUID(),
    errors: errorsByField(refusal?.extras.errors ?? [], answersTo(chosen, typed, languageAt(request, session))),
    ...{ chosen, typed, refusal },
  })
}

const showForm = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const query = new URLSearchParams(request.query)
  const choice = choiceIn(name => query.get(name) ?? '')
  const typed = ['quantity', 'amount'].flatMap((name): Pairs => [[name, cleanLine(query.get(name) ?? '', 15)]])
  return formReply({ request, parts, session, choice, typed })
}

// A form that is sent twice registers once.
const formKeyIn = (form: Pairs) => {
  const key = formField(form, 'key')
  return /^[\w-]{8,64}$/.test(key) ? { formKey: key } : {}
}

const answersTo = (chosen: Chosen | undefined, form: Pairs, language: Language) =>
  answersIn(form, (chosen?.event.questions ?? []).map(completeField), { language })

const attendeesIn = (form: Pairs) =>
  formField(form, 'names')
    .split('\n')
    .map(name => name.trim())
    .filter(name => name !== '')
    .map(name => ({ name }))

// What is no number or amount stays as it was typed, which the operation refuses.
const bodyOf = ({ event, occurrence, ticket }: Chosen, form: Pairs, language: Language) => {
  const [quantity, amount] = [formField(form, 'quantity').trim(), formField(form, 'amount').trim()]
  const answers = answersTo({ event, occurrence, ticket }, form, language)
  const attendees = attendeesIn(form)
  return {
    price_id: ticket.price_id,
    occurrence_id: occurrence.id,
    quantity: readWhole(quantity, 4) ?? quantity,
    ...(ticket.least_amount === null
      ? {}
      : { amount: typedAmount(amount, { pointer: '/amount', currency: ticket.currency, language }) }),
    ...(attendees.length === 0 ? {} : { attendees }),
    ...(answers.length === 0 ? {} : { answers }),
    join_waitlist: formField(form, 'wait') === 'yes',
  }
}

const register = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const form = await readForm(request, parts.secret, { session })
  const choice = choiceIn(name => formField(form, name))
  const registering = { request, parts, session, choice, typed: form }
  const chosen = choice && (await findChosen(request, parts, session, choice))
  if (chosen === undefined) return formReply(registering)
  const perform = async () => {
    const body = bodyOf(chosen, form, languageAt(request, session))
    const call = { operation: 'createAccountRegistration', body, returns: Registered, ...formKeyIn(form) } as const
    return pathAfter(await parts.performAs(atPage(request, session), call))
  }
  return answered(perform, refusal => formReply(registering, refusal), PATH)
}

/** GET and POST /account/registrations and /account/registrations/new: the seats of a person, and registering for one. */
export const registrationEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
  endpoint({ route: `GET ${PATH}/new`, handle: request => showForm(request, parts) }),
  endpoint({ route: `POST ${PATH}/new`, handle: request => register(request, parts) }),
]
