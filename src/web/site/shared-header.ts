import type { Endpoint, EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { withBar } from '#src/kit/html-page.ts'
import { findReadSession, formToken, languageAt } from '#src/web/page/index.ts'
import { renderBar } from './header.ts'
import type { SitePagesParts } from './parts.ts'
import { createReads } from './reads.ts'
import { readLinked } from './respond.ts'
import { siteText } from './text.ts'

const isPage = ({ headers = {} }: Reply): boolean => String(headers['content-type'] ?? '').startsWith('text/html')

/** Gives the pages of an account and of learning the header of the site, for whoever is signed in; the console has its own bar. */
export const createSharedHeader = ({ performAs, secret }: SitePagesParts): ((endpoint: Endpoint) => Endpoint) => {
  const readsFor = createReads(performAs)
  const addBar = async (request: EndpointRequest, reply: Reply): Promise<Reply> => {
    const session = findReadSession(request)
    if (session === undefined || typeof reply.body !== 'string' || !isPage(reply)) return reply
    // The console has a bar of its own.
    if (!reply.body.includes('<header class="sheet-header">') && !reply.body.includes('<header class="site-header">'))
      return reply
    const { school, path } = request
    const language = languageAt(request, session)
    const person = { member: session.member, token: formToken(secret, school.id, { session }) }
    // Its sign-out is a link: a page has the forms that it is for.
    const context = { school, language, person, isStyled: true, ...(await readLinked(readsFor(request))) }
    return { ...reply, body: withBar(reply.body, renderBar(context, path), fill(siteText.skip, language)) }
  }
  return endpoint => {
    const { handle, showKept } = endpoint
    return {
      ...endpoint,
      handle: async request => addBar(request, await handle(request)),
      ...(showKept && { showKept: async (request, show) => addBar(request, await showKept(request, show)) }),
    }
  }
}
