import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { publishable } from '#src/contract/publishable.ts'
import { texts } from '#src/texts/index.ts'
import { getPage, lockPage } from '../page/access.ts'
import { about } from '../page/operations.ts'
import { PageRef, SitePage } from '../page/schema.ts'
import { pageView } from '../page/views.ts'
import { pageStatus } from './queries.ts'

/** The operations that change the status of a page. */
export const { operations: publicationOperations } = publishable(pageStatus, {
  scope: 'pages:write',
  path: '/pages/:page_id',
  params: PageRef,
  returns: SitePage,
  called: ['a page', 'page'],
  lock: lockPage,
  get: getPage,
  view: pageView,
  publish: {
    description:
      'Publishes the newest version of a page now, or at the instant in `at`. A page that is published shows its changes once it is published again. A static page is published once a deployment of it is live.',
    example: about,
    effect: texts.publishing.pages.publication.operations.published,
    isDone: ({ status, version, published_version: shown }) => status === 'published' && version === shown,
    check(_context, { kind, live_deployment_id: live }) {
      if (kind === 'static' && live === null)
        throw new Refusal(invalidState, 'No deployment of the page is live yet; promote one first.')
    },
    whyNotScheduled: status => `The page is ${status}; only a draft is scheduled. Publish its changes now.`,
  },
  unpublish: {
    description:
      'Makes a published or scheduled page a draft again. Nobody but staff finds it; if it is the home page, / shows the built-in one until it is published again.',
    example: { page_id: 'slug:welcome' },
  },
})
