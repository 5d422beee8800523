import type { Static } from 'typebox'
import { PageDeploymentDetails } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { factList, page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'

const { common: text, problem } = texts.staff.bundles

// What is wrong with an archive, for people.
const problemTexts: Readonly<Record<string, Phrase>> = problem

type Details = Encoded<Static<typeof PageDeploymentDetails>>

const row = (name: string, about: string): Html =>
  html`<li><bdi><code>${name}</code></bdi><br><span class="quiet">${about}</span></li>
`

const problemsPart = ({ problems }: Details, { t }: StaffContext): Html | false =>
  problems.length > 0 &&
  html`<h2>${t(text.problems)}</h2>
<ul class="list">
${problems.map(({ code, entry }) => row(entry ?? t(text.archive), problemTexts[code] ? t(problemTexts[code]) : ''))}</ul>`

const filesPart = ({ files }: Details, { t, language }: StaffContext): Html =>
  files.length === 0
    ? html`<p>${t(text.noFiles)}</p>`
    : html`<ul class="list">
${files.map(({ path, byte_size: bytes, content_type: type }) => row(path, `${formatBytes(bytes, language)} · ${type.split(';')[0]}`))}</ul>`

/** GET /staff/pages/:id/bundles/:deployment: why it was refused, its files, and what happened to it. */
export const deploymentDetails = page('GET /staff/pages/:id/bundles/:deployment', staff, async context => {
  const { t, call, params, time } = context
  const deployment = await call({
    operation: 'getDeployment',
    params: { page_id: params.id ?? '', deployment_id: params.deployment ?? '' },
    returns: PageDeploymentDetails,
  })
  const { ignored_count: ignored, root_folder: folder, preview_url: preview, url } = deployment
  const shown = url ?? preview
  return context.frame({
    title: time(deployment.created_at),
    parents: [{ path: `/staff/pages/${deployment.page_id}/bundles`, name: t(texts.words.versions) }],
    body: html`<p>${t(text.statuses[deployment.status])}</p>
${shown !== null && html`<p><a href="${shown}" rel="noopener">${t(url === null ? text.look : texts.words.openPage)}</a></p>`}
${problemsPart(deployment, context)}
<h2>${t(texts.words.files)}</h2>
${folder !== null && html`<p class="quiet">${t(text.root, { folder })}</p>`}
${ignored !== null && ignored > 0 && html`<p class="quiet">${t(text.ignored, { n: ignored })}</p>`}
${filesPart(deployment, context)}
<h2>${t(text.log)}</h2>
${factList(deployment.log.map(({ event, at }) => [t(text.events[event]), time(at)]))}`,
  })
})
