import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { lockSession, type Session } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { formToken, isReply, languageAt, personOf, readForm, recentPersonOf, redirect } from '#src/web/page/index.ts'
import { confirmationPage } from './pages/confirmation.ts'
import type { AccountPagesParts } from './parts.ts'

const idOf = ({ params }: EndpointRequest): string => params.id ?? ''

// The request of another person gets the same response as an unknown one.
const nothing = (): Refusal => new Refusal(notFound, texts.account.confirmations.nothing.thereIsNoSuchRequest)

const getVisibleConfirmation = async (
  request: EndpointRequest,
  { confirmations }: AccountPagesParts,
  session: Session,
): Promise<ConfirmationDetails> => {
  const found = await confirmations.find(request.school, session.member.id, idOf(request))
  if (found === undefined) throw nothing()
  return found
}

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await recentPersonOf(request)
  if (isReply(session)) return session
  const confirmation = await getVisibleConfirmation(request, parts, session)
  return confirmationPage({
    school: request.school,
    language: languageAt(request, session),
    person: session.member,
    token: formToken(parts.secret, request.school.id, { session }),
    confirmation,
  })
}

const readDecision = (text: string): 'approve' | 'reject' => {
  if (text === 'approve' || text === 'reject') return text
  throw new Refusal(formRefused, texts.account.confirmations.readDecision.theFormHasNoValid)
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const signedIn = await personOf(request)
  if (isReply(signedIn)) return signedIn
  const form = await readForm(request, parts.secret, { session: signedIn })
  const session = await recentPersonOf(request)
  if (isReply(session)) return session
  const decision = readDecision(formField(form, 'decision'))
  const { school, requestId } = request
  const decided = await parts.confirmations.decide({
    school,
    memberId: session.member.id,
    id: idOf(request),
    decision,
    requestId,
    lockSession: db => lockSession(db, school.id, session.id),
  })
  if (decided === undefined) throw nothing()
  // The page shows the result, or asks the person to sign in if they were signed out meanwhile.
  return redirect(`/account/confirmations/${idOf(request)}`)
}

/** GET and POST /account/confirmations/:id. */
export const confirmationEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/confirmations/:id', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/confirmations/:id', handle: request => submit(request, parts) }),
]
