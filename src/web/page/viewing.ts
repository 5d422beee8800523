import type { Endpoint, EndpointRequest, Fallback, Reply } from '#src/contract/endpoint.ts'
import { fill, languageFor } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { viewingOnly } from '#src/contract/problems.ts'
import { findViewed, type Session } from '#src/identity/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { showTime } from './moment.ts'

const text = texts.staff.viewing

/** The page on which somebody of the staff ends that they see the school as somebody else. */
export const VIEWING_PATH = '/staff/viewing'

/** How a page is shown to somebody of the staff who sees the school as a member: as themselves, as the member, or not at all. */
type Way = 'own' | 'viewed' | 'refused'

// Sign-in, sign-out, proofs and who is signed in belong to the session, and the console to the staff.
const OWN =
  /^(?:GET|POST) \/(?:staff(?:\/|$)|account\/(?:confirm(?:\/code)?|sign-in(?:\/code)?|sign-out|signed-out|standing|language)$)/
// What somebody has paid or may open is on pages of the site; the other pages of an account are the member's alone.
const VIEWED = /^GET \/(?!account(?:\/|$)|checkout(?:\/|$)|unsubscribe(?:\/|$))/
const VIEWED_ACCOUNT = /^GET \/account\/(?:courses|certificates|pages\/:page|posts\/:slug)$/

const chooseWay = (route: string): Way => {
  if (OWN.test(route)) return 'own'
  return VIEWED.test(route) || VIEWED_ACCOUNT.test(route) ? 'viewed' : 'refused'
}

// Decided by the declared route, since the address of a request can be written in several ways. Without one it is refused.
const ways = new WeakMap<EndpointRequest, Way>()
const shown = new WeakMap<EndpointRequest, { readonly name: string; readonly session: Session; readonly until: Date }>()

/** Whom a page is made for: the member whom the person sees the school as, or the person. Refuses pages that are for neither. */
export const chooseViewed = async (request: EndpointRequest, session: Session): Promise<Session> => {
  const { database, school } = request
  const { view } = session
  if (view === undefined) return session
  const member = await database.statements(school.id, db => findViewed(db, school.id, view.memberId))
  // Whoever was suspended, removed or made an admin meanwhile is seen by nobody.
  if (member === undefined) return session
  shown.set(request, { name: member.name, session, until: view.until })
  const way = ways.get(request) ?? 'refused'
  if (way === 'own') return session
  if (way === 'refused')
    throw new Refusal(viewingOnly, text.refused, { links: [{ href: VIEWING_PATH, label: text.leave }] })
  return { ...session, isRecent: false, member, viewer: session.member }
}

const isPage = ({ headers = {} }: Reply): boolean => String(headers['content-type'] ?? '').startsWith('text/html')

// The bar and the navigation of the console keep their place.
const IN_CONSOLE = /<main class="stage"[^>]*>\s*<div class="page[^"]*">/
const BEGINNING = /<body[^>]*>\s*(?:<a class="skip"[^>]*>[^<]*<\/a>\s*)?(?:<header class="(?:sheet|site)-header">)?/

const addBanner = (request: EndpointRequest, reply: Reply): Reply => {
  const view = shown.get(request)
  if (view === undefined || typeof reply.body !== 'string' || !isPage(reply)) return reply
  const { name, session, until } = view
  const language = languageFor(request, { member: session.member.locale })
  const time = fill(text.until, language, { time: showTime(until, language, session.member) })
  const banner = html`
<p class="test-note" role="status">${fill(text.banner, language, { name, time })} <a href="${VIEWING_PATH}">${fill(text.leave, language)}</a></p>`
  const place = IN_CONSOLE.test(reply.body) ? IN_CONSOLE : BEGINNING
  return { ...reply, body: reply.body.replace(place, beginning => `${beginning}${banner.html}`) }
}

/** The endpoint for whoever sees the school as somebody else too: for whom it is, and with a banner that says so. */
export const withViewing = (endpoint: Endpoint): Endpoint => {
  const { route, handle, showKept } = endpoint
  const way = chooseWay(route)
  const mark = (request: EndpointRequest): EndpointRequest => {
    ways.set(request, way)
    return request
  }
  return {
    ...endpoint,
    handle: async request => addBanner(request, await handle(mark(request))),
    ...(showKept && {
      showKept: async (request, show) => addBanner(request, await showKept(mark(request), show)),
    }),
  }
}

/** The same for what answers at paths that nothing else has: pages of the site. */
export const viewingFallback =
  (fallback: Fallback): Fallback =>
  async request => {
    ways.set(request, 'viewed')
    const reply = await fallback(request)
    return reply && addBanner(request, reply)
  }
