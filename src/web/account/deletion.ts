import type { Static } from 'typebox'
import { AccountDeletion } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { Session } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { atPage, doneOf, isReply, personOf, readForm, recentPersonOf, redirect } from '#src/web/page/index.ts'
import { changeView } from './change.ts'
import { type DeletionView, deletionPage } from './pages/deletion.ts'
import type { AccountPagesParts } from './parts.ts'

/** Whether the account of the signed-in person is scheduled for deletion, and when. */
export const deletionOf = (
  request: EndpointRequest,
  { performAs }: AccountPagesParts,
  session: Session,
): Promise<Encoded<Static<typeof AccountDeletion>>> =>
  performAs(atPage(request, session), { operation: 'getAccountDeletion', returns: AccountDeletion })

/** When the account will be deleted, if that was requested. */
export const deletionInstant = ({ due_at: at }: Encoded<Static<typeof AccountDeletion>>): Date | undefined =>
  at === null ? undefined : new Date(at)

const pageOf = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  session: Session,
  more: Pick<DeletionView, 'refusal'>,
): Promise<Reply> =>
  deletionPage({
    ...changeView(request, parts.secret, session),
    deletion: await deletionOf(request, parts, session),
    done: doneOf(request),
    ...more,
  })

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : pageOf(request, parts, session, {})
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const signedIn = await personOf(request)
  if (isReply(signedIn)) return signedIn
  const isBegin = formField(await readForm(request, parts.secret, { session: signedIn }), 'act') === 'begin'
  const session = isBegin ? await recentPersonOf(request) : signedIn
  if (isReply(session)) return session
  const operation = isBegin ? 'createAccountDeletion' : 'cancelAccountDeletion'
  try {
    await parts.performAs(atPage(request, session), { operation })
  } catch (refusal) {
    if (refusal instanceof Refusal) return pageOf(request, parts, session, { refusal })
    throw refusal
  }
  return redirect(`/account/deletion?done=${isBegin ? 'begun' : 'cancelled'}`)
}

/** GET and POST /account/deletion. */
export const deletionEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/deletion', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/deletion', handle: request => submit(request, parts) }),
]
