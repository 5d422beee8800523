import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { type MailChoice, type MailKind, mailKindsByName } from '#src/contract/mail.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { muteMails, readUnsubscribeToken } from '#src/identity/index.ts'
import { languageAt } from '#src/web/page/index.ts'
import { unsubscribedPage, unsubscribePage } from './pages/unsubscribe.ts'
import type { AccountPagesParts } from './parts.ts'

type Kinds = ReadonlyMap<string, MailKind>

type Link = { readonly memberId: string; readonly choice: MailChoice }

const linkOf = ({ school, params }: EndpointRequest, kinds: Kinds, secret: string): Link => {
  const read = readUnsubscribeToken(secret, school.id, params.token ?? '')
  const choice = read && kinds.get(read.kind)?.mute
  if (read === undefined || choice === undefined) throw new Refusal(notFound, 'There is no such link.')
  return { memberId: read.memberId, choice }
}

const viewOf = (request: EndpointRequest, { choice }: Link) => ({
  school: request.school,
  language: languageAt(request),
  title: choice.title,
  action: request.path,
})

// RFC 8058 §3.2: the mail program of the recipient sends this, without cookies, as a form of either type. Its body says
// nothing that the address does not, so it is not read.
const turnOff = async (request: EndpointRequest, link: Link): Promise<Reply> => {
  const { school, requestId } = request
  await request.database.transaction(school.id, (db, now) =>
    muteMails({ db, school, now, requestId }, link.memberId, link.choice),
  )
  return unsubscribedPage(viewOf(request, link))
}

/**
 * GET and POST /unsubscribe/{token}, the link of mails that a person may turn off. GET changes nothing, since programs that
 * check mails open every link; POST needs no session. Neither shows whose link it is.
 */
export const unsubscribeEndpoints = ({ secret, mailKinds }: AccountPagesParts): Endpoint[] => {
  const kinds = mailKindsByName(mailKinds)
  return [
    endpoint({
      route: 'GET /unsubscribe/:token',
      handle: async request => unsubscribePage(viewOf(request, linkOf(request, kinds, secret))),
    }),
    endpoint({
      route: 'POST /unsubscribe/:token',
      handle: async request => turnOff(request, linkOf(request, kinds, secret)),
    }),
  ]
}
