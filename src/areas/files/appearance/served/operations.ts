import { contentReply, filesById, isStored, variantContent } from '#src/areas/files/storage/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Look } from '#src/contract/look.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { fromId } from '#src/kit/ids.ts'
import { forceScheme, schemeIn } from '#src/kit/scheme.ts'
import { findSheet, wasPublished } from '../versions/queries.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'

const nothing = (): Refusal => new Refusal(notFound, 'There is nothing at this address.')

const showSheet = async ({ params, query, database, school }: EndpointRequest): Promise<Reply> => {
  const [, hash] = /^([\w-]{22})\.css$/.exec(params.sheet ?? '') ?? []
  const css = hash && (await database.statements(school.id, db => findSheet(db, school.id, hash)))
  if (css === undefined) throw nothing()
  return {
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': IMMUTABLE,
    },
    body: forceScheme(css, schemeIn(query)),
  }
}

const isShown = (look: Look | null | undefined, path: string): boolean =>
  look !== null &&
  look !== undefined &&
  [look.logo, look.logoDark, look.favicon, look.socialImage, look.signIn.image, look.email.headerImage].includes(path)

// What was published once stays readable, for mails that were sent with it.
const showImage = async (request: EndpointRequest, files: Files): Promise<Reply> => {
  const { params, database, school, path } = request
  const id = fromId('fil', params.file ?? '')
  if (id === undefined) throw nothing()
  const row = await database.statements(school.id, async db => {
    const isPublic = isShown(school.look, path) || (await wasPublished(db, school.id, id))
    return isPublic ? (await filesById(db, school.id, [id])).get(id) : undefined
  })
  if (row === undefined) throw nothing()
  const content = await variantContent(request, files, { row, isPublic: true }, params.width ?? '')
  if (!(await isStored(request, files, content))) throw nothing()
  // Never by a redirect to a bucket, which the policy of pages with forms does not allow.
  const reply = await contentReply(request, files, content)
  return { ...reply, headers: { ...reply.headers, 'cache-control': IMMUTABLE } }
}

/** The style sheets and images of published appearances, from our own origin; an address always has the same bytes. */
export const servedEndpoints = (files: Files): Endpoint[] => [
  endpoint({ route: 'GET /appearance/:sheet', handle: showSheet }),
  endpoint({ route: 'GET /appearance/images/:width/:file', handle: request => showImage(request, files) }),
]
