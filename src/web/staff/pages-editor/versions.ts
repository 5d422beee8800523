import { PageVersionList, SitePage } from '#src/areas/pages/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { atPage, formOf, formToken, framed, isReply, languageAt, redirect, timeOf } from '#src/web/account/index.ts'
import { revisionOf } from '../form-fields.ts'
import { refusalOf, staffFormOf, staffOf } from '../page-request.ts'
import { hidden } from '../pages/fields.ts'
import { refusedIn } from '../pages/refused.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffSection } from '../section.ts'
import { editPath } from './edit-page.ts'
import { editorRefusals, editorText as text } from './text.ts'

const paramsOf = ({ params }: EndpointRequest) => ({ page_id: params.id ?? '' })

const pageOf = async (
  request: EndpointRequest,
  { performAs, secret }: StaffPagesParts,
  session: Session,
  refusal?: Refusal,
): Promise<Reply> => {
  const person = atPage(request, session)
  const params = paramsOf(request)
  const [page, versions] = await Promise.all([
    performAs(person, { operation: 'getPage', params, returns: SitePage }),
    performAs(person, { operation: 'listPageVersions', params, query: [['limit', '100']], returns: PageVersionList }),
  ])
  const language = languageAt(request, session)
  const token = formToken(secret, request.school.id, { session })
  return framed({
    school: request.school,
    language,
    title: `${fill(text.versions, language)}: ${page.title}`,
    ...refusedIn(refusal, language, editorRefusals),
    body: html`<ul class="list">
${versions.data.map(({ number, title, is_newest: isNewest, is_published: isPublished, created_at: at }) => {
  const name = fill(text.version, language, { n: number })
  const facts = [
    timeOf(new Date(at), language, session.member),
    ...(isNewest ? [fill(text.newest, language)] : []),
    ...(isPublished ? [fill(text.shown, language)] : []),
  ]
  const restore = formOf(
    `${editPath(page.id)}/versions`,
    token,
    html`${hidden({ revision: page.revision, number })}<button type="submit" aria-label="${fill(text.restore, language)}: ${name}">${fill(text.restore, language)}</button>`,
  )
  return html`<li><strong>${name}</strong>: <bdi>${title}</bdi> <span class="quiet">${facts.join(' · ')}</span>
${!isNewest && restore}</li>
`
})}</ul>
<p class="quiet"><a href="${editPath(page.id)}">${page.title}</a></p>`,
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  return isReply(session) ? session : pageOf(request, parts, session)
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const params = { ...paramsOf(request), number: formField(form, 'number') }
  const performed = async () =>
    parts.performAs(atPage(request, session), {
      operation: 'restorePageVersion',
      params,
      revision: revisionOf(form),
    })
  const refusal = await refusalOf(performed())
  if (refusal === undefined) return redirect(`${editPath(params.page_id)}?done=restored`)
  return refusal.problem === signInRequired ? redirect(request.path) : pageOf(request, parts, session, refusal)
}

/** GET and POST /staff/pages/:id/versions. */
export const pageVersions: StaffSection = {
  // The editor of a page leads to them.
  entries: [],
  endpoints: parts => [
    endpoint({ route: 'GET /staff/pages/:id/versions', handle: request => show(request, parts) }),
    endpoint({ route: 'POST /staff/pages/:id/versions', handle: request => submit(request, parts) }),
  ],
}
