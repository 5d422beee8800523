import type { Static } from 'typebox'
import type { PageDeployment, SitePage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, hidden, timeOf } from '#src/web/page/index.ts'
import { renderFileForm } from '../../files/uploads/index.ts'
import { refusedIn } from '../../pages/refused.ts'
import { bundleRefusals, bundlesText as text } from './text.ts'

/** A deployment as pages get it. */
type Deployment = Encoded<Static<typeof PageDeployment>>

/** What the list of the deployments of a page shows. */
export type BundlesView = {
  readonly school: School
  readonly language: Language
  readonly viewer: Session['member']
  readonly token: string
  readonly done: string
  readonly page: Encoded<Static<typeof SitePage>>
  /** The address of the host for static pages. */
  readonly pagesUrl: string | null
  readonly deployments: readonly Deployment[]
  readonly refusal: Refusal | undefined
}

/** The name of a version: when it was uploaded. */
export const versionName = (
  { created_at: at }: Deployment,
  { language, viewer }: Pick<BundlesView, 'language' | 'viewer'>,
): string => timeOf(new Date(at), language, viewer)

/** The path of the deployments of a page. */
export const bundlesPath = (pageId: string): string => `/staff/pages/${pageId}/bundles`

const may = ({ allowed_actions: actions }: Deployment, action: string): boolean => actions.includes(action)

const actForm = (act: 'promote' | 'delete', one: Deployment, view: BundlesView): Html => {
  const { language, token, page } = view
  const label = fill(
    act === 'delete' ? text.delete : one.status === 'superseded' ? text.rollBack : text.promote,
    language,
  )
  const revision = act === 'promote' ? page.revision : one.revision
  const inside = html`${hidden({ act, deployment: one.id, revision })}<button type="submit" aria-label="${label}: ${versionName(one, view)}">${label}</button>`
  return formOf(bundlesPath(page.id), token, inside)
}

const factsOf = (one: Deployment, language: Language): string => {
  const { file_count: n, byte_size: bytes } = one
  const count =
    n === null || bytes === null ? [] : [fill(text.count, language, { n, size: formatBytes(bytes, language) })]
  return [fill(text.statuses[one.status], language), ...count].join(' · ')
}

const item = (one: Deployment, view: BundlesView): Html => {
  const { language, page } = view
  const shown = one.url ?? one.preview_url
  const look = fill(one.url === null ? text.look : text.visit, language)
  return html`<li class="act"><span><a href="${bundlesPath(page.id)}/${one.id}">${versionName(one, view)}</a><br><span class="quiet">${factsOf(one, language)}</span>${shown !== null && html`<br><a href="${shown}" rel="noopener">${look}</a>`}</span><span class="buttons">${may(one, 'promoteDeployment') && actForm('promote', one, view)}${may(one, 'deleteDeployment') && actForm('delete', one, view)}</span></li>
`
}

const uploadForm = ({ language, token, page }: BundlesView): Html =>
  renderFileForm({
    action: bundlesPath(page.id),
    token,
    language,
    fields: { act: 'upload' },
    id: 'archive',
    label: fill(text.file, language),
    button: fill(text.uploadButton, language),
    accept: '.zip,application/zip',
    hint: fill(text.fileHint, language),
    limit: fill(text.fileLimit, language),
  })

// What whoever runs the server has to do, before anything can be shown.
const missingHost = ({ school, language, pagesUrl }: BundlesView): Html | false =>
  pagesUrl === null &&
  html`<section class="card">
<h2>${fill(text.noHostTitle, language)}</h2>
<p>${fill(text.noHost, language)}</p>
<p>${fill(text.noHostSteps, language)}</p>
<p><code>stoa schools set --school ${school.baseUrl} --pages-url https://pages.example.net</code></p>
</section>
`

/** The deployments of a page, the form for another one, and what staff can do with each. */
export const bundlesPage = (view: BundlesView): Reply => {
  const { school, language, page, deployments, refusal, done } = view
  const notice =
    refusal === undefined ? { notice: doneIn(text.done, done, language) } : refusedIn(refusal, language, bundleRefusals)
  return framed({
    school,
    language,
    title: fill(text.title, language, { page: page.title }),
    ...notice,
    body: html`<p class="quiet">${fill(text.about, language)}</p>
${missingHost(view)}
${page.status !== 'published' && html`<p>${fill(text.notPublished, language)}</p>`}
<h2>${fill(text.upload, language)}</h2>
${uploadForm(view)}
<h2>${fill(text.versions, language)}</h2>
${deployments.length === 0 ? html`<p>${fill(text.none, language)}</p>` : html`<ul class="list">\n${deployments.map(one => item(one, view))}</ul>`}
<p class="quiet"><a href="/staff/pages/${page.id}">${fill(text.backToPage, language)}</a></p>`,
  })
}
