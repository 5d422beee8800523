import { toId } from '#src/kit/ids.ts'
import { answerJson, everybody, publicPage } from '#src/web/page/index.ts'
import type { VisitorContext } from './parts.ts'

const PATH = '/account/standing'

/**
 * GET /account/standing: who is signed in, as JSON for the modules of pages: the `person` (null: nobody), their `name`, whether they
 * proved recently who they are (`is_recent`), and the `token` of their forms. Another origin cannot read it.
 */
export const standingPages = [
  publicPage(`GET ${PATH}`, everybody, async ({ session, token }: VisitorContext) => {
    const standing = session && {
      person: toId('mem', session.member.id),
      name: session.member.name,
      is_recent: session.isRecent,
      token: token(),
    }
    return answerJson(standing ?? { person: null })
  }),
]
