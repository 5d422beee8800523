import { Event, Occurrence, TicketTypePage } from '#src/areas/events/index.ts'
import { readOffering } from '#src/areas/school/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { SignedInPerson, Visitor } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { namesHtml } from '#src/kit/accept.ts'
import { idPattern } from '#src/kit/ids.ts'
import { readAmount } from '#src/kit/typed-numbers.ts'
import { atPage, languageAt, redirect, sessionOf } from '#src/web/page/index.ts'
import { type TicketsView, ticketsPage } from './pages/event-tickets.ts'
import { registrationForm } from './pages/registration-form.ts'
import type { AccountPagesParts } from './parts.ts'

const OCCURRENCE = new RegExp(idPattern('occ'))
const PRICE = new RegExp(idPattern('prc'))
const SLUG = /^[a-z0-9-]{1,80}$/

type Found = Pick<TicketsView, 'event' | 'occurrence' | 'tickets'>

const findTickets = async (
  { performAs }: AccountPagesParts,
  by: SignedInPerson | Visitor,
  { slug, occurrenceId }: { readonly slug: string; readonly occurrenceId: string },
): Promise<Found | undefined> => {
  try {
    const params = { event_id: `slug:${slug}` }
    const [event, occurrence, tickets] = await Promise.all([
      performAs(by, { operation: 'getEvent', params, returns: Event }),
      performAs(by, { operation: 'getOccurrence', params: { occurrence_id: occurrenceId }, returns: Occurrence }),
      performAs(by, {
        operation: 'listTicketTypes',
        params,
        query: [
          ['occurrence_id', occurrenceId],
          ['limit', '100'],
        ],
        returns: TicketTypePage,
      }),
    ])
    return { event, occurrence, tickets: tickets.data.filter(({ visibility }) => visibility === 'listed') }
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

// What somebody chose to pay leads to the checkout, in minor units.
const chosenPath = (query: URLSearchParams, { occurrence, tickets }: Found, language: Language): string | undefined => {
  const [price, typed] = [query.get('price') ?? '', query.get('amount') ?? '']
  const ticket = PRICE.test(price) ? tickets.find(one => one.price_id === price) : undefined
  const read = ticket && readAmount(typed, ticket.currency, language)
  const amount = read !== undefined && 'amount' in read ? read.amount : undefined
  if (ticket === undefined || amount === undefined || ticket.least_amount === null || amount < ticket.least_amount)
    return undefined
  // The host decides first, and then it is paid.
  if (ticket.needs_approval)
    return `/account/registrations/new?${new URLSearchParams({ price, occurrence: occurrence.id, amount: typed.trim() })}`
  return `/checkout?${new URLSearchParams({ price, occurrence: occurrence.id, amount: String(amount) })}`
}

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const { school, requestId, network } = request
  const session = await sessionOf(request)
  const language = languageAt(request, session)
  const query = new URLSearchParams(request.query)
  const [slug, occurrenceId] = [request.params.slug ?? '', query.get('occurrence') ?? '']
  const by = session === undefined ? { school, requestId, network } : atPage(request, session)
  const isNamed = SLUG.test(slug) && OCCURRENCE.test(occurrenceId)
  const found = isNamed ? await findTickets(parts, by, { slug, occurrenceId }) : undefined
  if (found === undefined && !namesHtml(request.header('accept')))
    throw new Refusal(notFound, 'There is no such date of an event.')
  if (found === undefined)
    return registrationForm({
      ...{ school, language, token: '', key: '', typed: [], errors: new Map(), chosen: undefined, refusal: undefined },
    })
  const path = chosenPath(query, found, language)
  return path === undefined
    ? ticketsPage({
        school,
        language,
        ...found,
        ...(await readOffering(request)),
        typed: { price: query.get('price') ?? '', amount: query.get('amount') ?? undefined },
      })
    : redirect(path)
}

/** GET /account/events/:slug: the tickets of a date of an event, also for people who are not signed in. */
export const eventTicketEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/events/:slug', handle: request => show(request, parts) }),
]
