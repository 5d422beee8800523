import { AccountDownloadPage, DownloadLink } from '#src/areas/shop/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { idPattern } from '#src/kit/ids.ts'
import { atPage, formToken, isReply, languageAt, personOf, readForm, redirect } from '#src/web/page/index.ts'
import { downloadsPage } from './pages/downloads.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/downloads'
const PRODUCTS = '100'
const FILE = new RegExp(idPattern('dpf'))

const pageOf = async (
  request: EndpointRequest,
  { performAs, secret }: AccountPagesParts,
  session: Session,
  isRefused: boolean,
): Promise<Reply> => {
  const { data } = await performAs(atPage(request, session), {
    operation: 'listAccountDownloads',
    query: [['limit', PRODUCTS]],
    returns: AccountDownloadPage,
  })
  return downloadsPage({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(secret, request.school.id, { session }),
    products: data,
    isRefused,
  })
}

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : pageOf(request, parts, session, false)
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const fileId = formField(await readForm(request, parts.secret, { session }), 'file')
  if (!FILE.test(fileId)) return pageOf(request, parts, session, true)
  try {
    const { url } = await parts.performAs(atPage(request, session), {
      operation: 'createDownloadLink',
      params: { file_id: fileId },
      returns: DownloadLink,
    })
    return redirect(url)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    return error.problem === signInRequired ? redirect(PATH) : pageOf(request, parts, session, true)
  }
}

/** GET and POST /account/downloads: the files that somebody has, and the way to their bytes. */
export const downloadsEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
]
