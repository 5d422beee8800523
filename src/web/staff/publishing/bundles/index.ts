import {
  MAX_ARCHIVE_BYTES,
  PageDeployment,
  PageDeploymentDetails,
  PageDeploymentList,
  SitePage,
} from '#src/areas/publishing/index.ts'
import { School } from '#src/areas/school/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidBody, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import {
  atPage,
  doneOf,
  type FormFile,
  type FormWithFiles,
  formToken,
  isReply,
  languageAt,
  redirect,
  revisionIn,
} from '#src/web/page/index.ts'
import { storeFile, withStaffFiles } from '../../files/uploads/index.ts'
import { recentStaffOf, refusalOf, staffOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { detailsPage } from './details-page.ts'
import { bundlesPage, bundlesPath } from './list-page.ts'

const pageIdOf = ({ params }: EndpointRequest): string => params.id ?? ''

const listOf = async (
  request: EndpointRequest,
  { secret, performAs }: StaffPagesParts,
  session: Session,
  refusal?: Refusal,
): Promise<Reply> => {
  const person = atPage(request, session)
  const params = { page_id: pageIdOf(request) }
  const page = await performAs(person, { operation: 'getPage', params, returns: SitePage })
  const { data } = await performAs(person, { operation: 'listDeployments', params, returns: PageDeploymentList })
  const { pages_url: pagesUrl } = await performAs(person, { operation: 'getSchool', returns: School })
  return bundlesPage({
    school: request.school,
    language: languageAt(request, session),
    viewer: session.member,
    token: formToken(secret, request.school.id, { session }),
    done: doneOf(request),
    ...{ page, pagesUrl, deployments: data, refusal },
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  return isReply(session) ? session : listOf(request, parts, session)
}

const showOne = async (request: EndpointRequest, { performAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const params = { page_id: pageIdOf(request), deployment_id: request.params.deployment ?? '' }
  const call = { operation: 'getDeployment', params, returns: PageDeploymentDetails }
  const deployment = await performAs(atPage(request, session), call)
  return detailsPage({
    school: request.school,
    language: languageAt(request, session),
    viewer: session.member,
    deployment,
  })
}

const operations = { promote: 'promoteDeployment', delete: 'deleteDeployment' } as const

const callOf = (act: keyof typeof operations, form: Pairs, pageId: string): PageCall<undefined> => ({
  operation: operations[act],
  params: { page_id: pageId, deployment_id: formField(form, 'deployment') },
  revision: revisionIn(form),
})

// It is not uploaded first.
const tooLarge = (): Refusal =>
  new Refusal(invalidBody, 'The archive is too large.', {
    errors: [{ pointer: '/file_id', code: 'maximum', message: `has more than ${MAX_ARCHIVE_BYTES} bytes` }],
  })

const deploy = async (
  request: EndpointRequest,
  parts: StaffPagesParts,
  session: Session,
  file: FormFile | undefined,
): Promise<void> => {
  const person = atPage(request, session)
  if (file !== undefined && file.bytes > MAX_ARCHIVE_BYTES) throw tooLarge()
  const body = { file_id: await storeFile(parts, person, file, 'page') }
  const params = { page_id: pageIdOf(request) }
  await parts.performAs(person, { operation: 'createDeployment', params, body, returns: PageDeployment })
}

const perform = async (
  request: EndpointRequest,
  parts: StaffPagesParts,
  session: Session,
  { form, files }: FormWithFiles,
): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act !== 'upload' && act !== 'promote' && act !== 'delete')
    throw new Refusal(formRefused, 'The form has no valid action.')
  const performed =
    act === 'upload'
      ? deploy(request, parts, session, files[0])
      : parts.performAs(atPage(request, session), callOf(act, form, pageIdOf(request)))
  const refusal = await refusalOf(performed)
  const path = bundlesPath(pageIdOf(request))
  if (refusal === undefined) return redirect(`${path}?done=${act}`)
  // If the session ended meanwhile, that page asks for a new sign-in.
  return refusal.problem === signInRequired ? redirect(path) : listOf(request, parts, session, refusal)
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await recentStaffOf(request)
  if (isReply(session)) return session
  return withStaffFiles(request, parts, session, form => perform(request, parts, session, form))
}

/** GET and POST /staff/pages/:id/bundles, and the page of each deployment. */
export const bundles: StaffSection = {
  // The page of a static page leads to them.
  entries: [],
  pages: [
    parts => endpoint({ route: 'GET /staff/pages/:id/bundles', handle: request => show(request, parts) }),
    parts => endpoint({ route: 'POST /staff/pages/:id/bundles', handle: request => submit(request, parts) }),
    parts =>
      endpoint({ route: 'GET /staff/pages/:id/bundles/:deployment', handle: request => showOne(request, parts) }),
  ],
}
