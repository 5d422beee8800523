import { endpoint } from '#src/contract/endpoint.ts'
import { toId } from '#src/kit/ids.ts'
import { formToken, type PageDeclaration, readSession } from '#src/web/page/index.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/standing'

/**
 * GET /account/standing: who is signed in, as JSON for the modules of pages: the `person` (null: nobody), their `name`, whether they
 * proved recently who they are (`is_recent`), and the `token` of their forms. Another origin cannot read it.
 */
export const standingPages: readonly PageDeclaration<AccountPagesParts>[] = [
  ({ secret }) =>
    endpoint({
      route: `GET ${PATH}`,
      handle: async request => {
        const session = await readSession(request)
        const standing = session && {
          person: toId('mem', session.member.id),
          name: session.member.name,
          is_recent: session.isRecent,
          token: formToken(secret, request.school.id, { session }),
        }
        return {
          status: 200,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'cache-control': 'no-store',
            'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          },
          body: JSON.stringify(standing ?? { person: null }),
        }
      },
    }),
]
