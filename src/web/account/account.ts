import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { doneOf, formToken, isReply, languageAt, personOf } from '#src/web/page/index.ts'
import { deletionInstant, deletionOf } from './deletion.ts'
import { accountPage } from './pages/account.ts'
import type { AccountPagesParts } from './parts.ts'

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const { school } = request
  const { secret, confirmations } = parts
  return accountPage({
    school,
    language: languageAt(request, session),
    person: session.member,
    deletionAt: deletionInstant(await deletionOf(request, parts, session)),
    waiting: await confirmations.listPending(school, session.member.id),
    token: formToken(secret, school.id, { session }),
    done: doneOf(request),
  })
}

/** GET /account. */
export const accountEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account', handle: request => show(request, parts) }),
]
