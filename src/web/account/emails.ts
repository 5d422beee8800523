import { Account } from '#src/areas/people/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { marketing, notifications } from '#src/contract/mail.ts'
import { atPage, isReply, personOf, readForm, redirect } from '#src/web/page/index.ts'
import { changeView } from './change.ts'
import { emailsPage } from './pages/emails.ts'
import type { AccountPagesParts } from './parts.ts'

const show = async (request: EndpointRequest, { secret, performAs }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const account = await performAs(atPage(request, session), { operation: 'getAccount', returns: Account })
  const choices = { ...account.notifications, [marketing.key]: account.marketing_consent.granted }
  return emailsPage(
    changeView(request, secret, session),
    [...notifications, marketing].map(choice => ({ choice, isWanted: choices[choice.key] ?? false })),
  )
}

const submit = async (request: EndpointRequest, { secret, performAs }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const form = await readForm(request, secret, { session })
  const isTicked = (key: string): boolean => form.some(([name, value]) => name === 'mail' && value === key)
  const body = {
    notifications: Object.fromEntries(notifications.map(({ key }) => [key, isTicked(key)])),
    marketing_consent: { granted: isTicked(marketing.key) },
  }
  await performAs(atPage(request, session), { operation: 'updateAccount', body })
  return redirect('/account?done=profile')
}

/** GET and POST /account/emails: which e-mails a person wants. */
export const emailsEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/emails', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/emails', handle: request => submit(request, parts) }),
]
