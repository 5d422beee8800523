import type { Static } from 'typebox'
import { Event, Occurrence, type TicketType, TicketTypePage } from '#src/areas/events/index.ts'
import { type Offering, readOffering } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { namesHtml } from '#src/kit/accept.ts'
import { formatAmount } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { idPattern } from '#src/kit/ids.ts'
import { readAmount } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import { cannotSell, selectOffering } from '#src/web/offering.ts'
import { everybody, hidden, orNothing, publicPage, redirect } from '#src/web/page/index.ts'
import { ticketPath } from '#src/web/ticket-links.ts'
import type { VisitorContext } from './parts.ts'
import { formatDates, showGone } from './registrations/index.ts'

const { eventTickets: text } = texts.account
const { notAmount } = texts.account.registrations

const OCCURRENCE = new RegExp(idPattern('occ'))
const PRICE = new RegExp(idPattern('prc'))
const SLUG = /^[a-z0-9-]{1,80}$/

type Ticket = Encoded<Static<typeof TicketType>>

// The tickets of a date of an event, and whether the school can be paid now.
type Found = Pick<Offering, 'canSell' | 'missing'> & {
  readonly event: Encoded<Static<typeof Event>>
  readonly occurrence: Encoded<Static<typeof Occurrence>>
  readonly tickets: readonly Ticket[]
}

const findTickets = async ({ call, params, query, request, session }: VisitorContext): Promise<Found | undefined> => {
  const [slug, id] = [params.slug ?? '', query.get('occurrence') ?? '']
  if (!SLUG.test(slug) || !OCCURRENCE.test(id)) return undefined
  const of = { event_id: `slug:${slug}` }
  const listed = [
    ['occurrence_id', id],
    ['limit', '100'],
  ] as const
  const found = await orNothing(
    Promise.all([
      call({ operation: 'getEvent', params: of, returns: Event }),
      call({ operation: 'getOccurrence', params: { occurrence_id: id }, returns: Occurrence }),
      call({ operation: 'listTicketTypes', params: of, query: listed, returns: TicketTypePage }),
    ]),
  )
  if (found === undefined) return undefined
  const [event, occurrence, { data }] = found
  const { canSell, missing } = selectOffering(await readOffering(request), session?.member)
  return { event, occurrence, tickets: data.filter(({ visibility }) => visibility === 'listed'), canSell, missing }
}

// What somebody chose to pay leads to the checkout, in minor units.
const chosenPath = ({ occurrence, tickets }: Found, { query, language }: VisitorContext): string | undefined => {
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

const priceText = ({ amount, least_amount: least, currency }: Ticket, { t, money }: VisitorContext): string => {
  if (least !== null) return t(text.choose, { least: money(least, currency) })
  return amount === 0 ? t(texts.words.free) : money(amount, currency)
}

const listFacts = (ticket: Ticket, context: VisitorContext): string[] => {
  const { t } = context
  const { seats_left: left = null, needs_approval: needsApproval } = ticket
  return [
    priceText(ticket, context),
    ...(left === null ? [] : [left === 0 ? t(texts.words.soldOut) : t(text.left, { n: left })]),
    ...(needsApproval ? [t(text.approval)] : []),
  ]
}

// The price that somebody chooses is typed here, and everything else on the page that follows.
const amountForm = (ticket: Ticket, { event, occurrence }: Found, { t, query, language }: VisitorContext): Html => {
  const { id, price_id: price, amount, currency, least_amount: least } = ticket
  const refused = query.get('price') === price ? (query.get('amount') ?? undefined) : undefined
  return html`<form method="get" action="/account/events/${event.slug}">
${hidden({ occurrence: occurrence.id, price })}<label for="amount-${id}">${t(text.amount, { currency })}</label>
<input id="amount-${id}" name="amount" type="text" inputmode="decimal" maxlength="15" value="${refused ?? formatAmount(amount, currency, language)}" required${refused !== undefined && html` aria-invalid="true" aria-describedby="amount-${id}-error"`}>${
    refused !== undefined &&
    html`
<p class="note" id="amount-${id}-error">${t(notAmount, { least: formatAmount(least, currency, language) })}</p>`
  }
<div class="buttons"><button type="submit">${t(text.take)}</button></div>
</form>`
}

const action = (ticket: Ticket, found: Found, context: VisitorContext): Html | false => {
  const { event, occurrence, canSell, missing } = found
  const { t, language } = context
  const { price_id: priceId, amount, needs_approval: needsApproval, seats_left: seatsLeft = null } = ticket
  if (seatsLeft === 0 && !event.waitlist) return false
  if (!canSell && (amount > 0 || ticket.least_amount !== null)) return cannotSell(language, missing)
  if (ticket.least_amount !== null && seatsLeft !== 0) return amountForm(ticket, found, context)
  const path = ticketPath({ priceId, occurrenceId: occurrence.id, amount, needsApproval, seatsLeft })
  const label = t(seatsLeft === 0 ? text.wait : text.take)
  return html`<p class="buttons"><a class="button" href="${path}" rel="nofollow" aria-label="${label}: ${ticket.name}">${label}</a></p>`
}

const item = (
  ticket: Ticket,
  found: Found,
  context: VisitorContext,
): Html => html`<section class="card" aria-labelledby="${ticket.id}">
<h2 id="${ticket.id}"><bdi>${ticket.name}</bdi></h2>
<p><bdi>${listFacts(ticket, context).join(' · ')}</bdi></p>
${ticket.description !== '' && html`<p class="lines" dir="auto">${ticket.description}</p>`}
${action(ticket, found, context)}
</section>
`

const show = (found: Found, context: VisitorContext): Reply => {
  const { t, frame, language } = context
  const { event, occurrence, tickets } = found
  const isOpen =
    event.status === 'published' && occurrence.status === 'scheduled' && !occurrence.live && !occurrence.ended
  return frame({
    title: t(text.title, { event: event.name }),
    body: html`<p><bdi>${formatDates(occurrence, language)}</bdi></p>
${isOpen && tickets.length === 0 && html`<p>${t(text.none)}</p>`}
${isOpen ? tickets.map(ticket => item(ticket, found, context)) : html`<p>${t(text.closed)}</p>`}
<p><a href="/events/${event.slug}">${t(text.back)}</a></p>`,
  })
}

/** GET /account/events/:slug: the tickets of a date of an event, also for people who are not signed in. */
export const eventTicketPages = [
  publicPage('GET /account/events/:slug', everybody, async (context: VisitorContext) => {
    const found = await findTickets(context)
    if (found === undefined && !namesHtml(context.request.header('accept')))
      throw new Refusal(notFound, 'There is no such date of an event.')
    if (found === undefined) return showGone(context)
    const path = chosenPath(found, context)
    return path === undefined ? show(found, context) : redirect(path)
  }),
]
