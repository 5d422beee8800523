import type { Static } from 'typebox'
import type { PageDeploymentDetails } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { framed, timeOf } from '#src/web/page/index.ts'
import { type BundlesView, bundlesPath, versionName } from './list-page.ts'
import { problemTexts, bundlesText as text } from './text.ts'

/** What the page of a deployment shows. */
type DetailsView = Pick<BundlesView, 'school' | 'language' | 'viewer'> & {
  readonly deployment: Encoded<Static<typeof PageDeploymentDetails>>
}

const problems = ({ deployment, language }: DetailsView): Html | false =>
  deployment.problems.length > 0 &&
  html`<h2>${fill(text.problems, language)}</h2>
<ul class="list">
${deployment.problems.map(({ code, entry }) => {
  const why = problemTexts[code]
  return html`<li><bdi><code>${entry ?? fill(text.archive, language)}</code></bdi><br><span class="quiet">${why !== undefined && fill(why, language)}</span></li>
`
})}</ul>`

const files = ({ deployment, language }: DetailsView): Html =>
  deployment.files.length === 0
    ? html`<p>${fill(text.noFiles, language)}</p>`
    : html`<ul class="list">
${deployment.files.map(
  ({ path, byte_size: bytes, content_type: type }) =>
    html`<li><bdi><code>${path}</code></bdi><br><span class="quiet">${formatBytes(bytes, language)} · ${type.split(';')[0]}</span></li>
`,
)}</ul>`

const log = ({ deployment, language, viewer }: DetailsView): Html => html`<dl class="facts">
${deployment.log.map(({ event, at }) => html`<div><dt>${fill(text.events[event], language)}</dt><dd>${timeOf(new Date(at), language, viewer)}</dd></div>\n`)}</dl>`

/** One deployment: why it was refused, its files, and what happened to it. */
export const detailsPage = (view: DetailsView): Reply => {
  const { school, language, deployment } = view
  const { ignored_count: ignored, root_folder: folder, preview_url: preview, url } = deployment
  const shown = url ?? preview
  return framed({
    school,
    language,
    title: versionName(deployment, view),
    body: html`<p>${fill(text.statuses[deployment.status], language)}</p>
${shown !== null && html`<p><a href="${shown}" rel="noopener">${fill(url === null ? text.look : text.visit, language)}</a></p>`}
${problems(view)}
<h2>${fill(text.files, language)}</h2>
${folder !== null && html`<p class="quiet">${fill(text.root, language, { folder })}</p>`}
${ignored !== null && ignored > 0 && html`<p class="quiet">${fill(text.ignored, language, { n: ignored })}</p>`}
${files(view)}
<h2>${fill(text.log, language)}</h2>
${log(view)}
<p class="quiet"><a href="${bundlesPath(deployment.page_id)}">${fill(text.back, language)}</a></p>`,
  })
}
