import { Event, Occurrence, Registration } from '#src/areas/events/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { atPage, doneOf, formToken, isReply, languageAt, personOf, readForm, redirect } from '#src/web/page/index.ts'
import { answersIn, completeField, errorsByField } from '#src/web/questions/index.ts'
import { orNothing } from './own-order.ts'
import { registrationPage } from './pages/registration.ts'
import { registrationPath } from './pages/registrations.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/registrations/:registration_id'

type At = { readonly request: EndpointRequest; readonly parts: AccountPagesParts; readonly session: Session }

const paramsOf = ({ request }: At) => ({ registration_id: request.params.registration_id ?? '' })

// An event that its members no longer find leaves them the registration.
const readAll = async (at: At) => {
  const { request, parts, session } = at
  const person = atPage(request, session)
  const call = { operation: 'getAccountRegistration', params: paramsOf(at), returns: Registration } as const
  const registration = await parts.performAs(person, call)
  const { event_id, occurrence_id } = registration
  const [event, occurrence] = await Promise.all([
    orNothing(parts.performAs(person, { operation: 'getEvent', params: { event_id }, returns: Event })),
    orNothing(parts.performAs(person, { operation: 'getOccurrence', params: { occurrence_id }, returns: Occurrence })),
  ])
  return { registration, event, occurrence }
}

const questionsOf = ({ event }: Awaited<ReturnType<typeof readAll>>) => (event?.questions ?? []).map(completeField)

const shown = async (at: At, typed?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { request, parts, session } = at
  const all = await readAll(at)
  const questions = questionsOf(all)
  const sent = typed === undefined ? [] : answersIn(typed, questions, { language: languageAt(request, session) })
  return registrationPage({
    ...all,
    ...{ questions, typed, refusal },
    errors: errorsByField(refusal?.extras.errors ?? [], sent),
    school: request.school,
    language: languageAt(request, session),
    person: session.member,
    token: formToken(parts.secret, request.school.id, { session }),
    done: doneOf(request),
  })
}

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : shown({ request, parts, session })
}

const answer = async (at: At, form: Pairs): Promise<Reply> => {
  const { request, parts, session } = at
  const revision = formField(form, 'revision')
  if (!/^\d{1,9}$/.test(revision)) throw new Refusal(formRefused, 'The form does not say what it is about.')
  const answers = answersIn(form, questionsOf(await readAll(at)), { language: languageAt(request, session) })
  await parts.performAs(atPage(request, session), {
    operation: 'setAccountRegistrationAnswers',
    params: paramsOf(at),
    body: { answers },
    revision: Number(revision),
  })
  return redirect(`${registrationPath({ id: paramsOf(at).registration_id })}?done=answered`)
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const form = await readForm(request, parts.secret, { session })
  const at = { request, parts, session }
  try {
    return await answer(at, form)
  } catch (error) {
    const isShown = error instanceof Refusal && error.problem.status < 500 && error.problem.status !== 404
    if (!isShown || error.problem === formRefused) throw error
    return error.problem === signInRequired ? redirect(request.path) : shown(at, form, error)
  }
}

/** GET and POST /account/registrations/:registration_id: one seat, with what there is to know about it, and its answers. */
export const oneRegistrationEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
]
