import { AccountCalendar } from '#src/areas/events/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Session } from '#src/identity/index.ts'
import { atPage, doneOf, formToken, isReply, languageAt, personOf, readForm, redirect } from '#src/web/page/index.ts'
import { calendarPage } from './pages/calendar.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/calendar'

const shown = async (request: EndpointRequest, { performAs, secret }: AccountPagesParts, session: Session) => {
  const { url } = await performAs(atPage(request, session), {
    operation: 'getAccountCalendar',
    returns: AccountCalendar,
  })
  return calendarPage({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(secret, request.school.id, { session }),
    done: doneOf(request),
    url,
  })
}

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : shown(request, parts, session)
}

const replace = async (request: EndpointRequest, { performAs, secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  await readForm(request, secret, { session })
  await performAs(atPage(request, session), { operation: 'revokeAccountCalendar' })
  return redirect(`${PATH}?done=replaced`)
}

/** GET and POST /account/calendar: the address of a person's calendar, which can be replaced. */
export const calendarEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}`, handle: request => replace(request, parts) }),
]
