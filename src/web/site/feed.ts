import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { renderFeed } from './feed.rules.ts'
import type { SitePagesParts } from './parts.ts'
import { createReads } from './reads.ts'

const POSTS = '20'
const SECONDS = 300

/** GET /feed.xml: the newest posts with their excerpts. */
export const feedEndpoint = ({ performAs }: SitePagesParts): Endpoint => {
  const readsFor = createReads(performAs)
  return endpoint({
    route: 'GET /feed.xml',
    handle: async request => {
      const { name, siteOrigin } = request.school
      const { data: posts } = await readsFor(request).posts([['limit', POSTS]])
      const body = renderFeed({ title: name, siteOrigin, posts })
      return cacheable(request.header('if-none-match'), 'application/atom+xml; charset=utf-8', body, SECONDS)
    },
  })
}
