import type { Static } from 'typebox'
import { PageDeploymentDetails } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, factList, page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { card, statusPill } from '../../console/frame.ts'
import { renderPart } from '../../pages/list-page.ts'

const { common: text, problem } = texts.staff.bundles

// What is wrong with an archive, for people.
const problemTexts: Readonly<Record<string, Phrase>> = problem

type Details = Encoded<Static<typeof PageDeploymentDetails>>

type File = Details['files'][number]

const renderPath = (path: string): Html => html`<bdi><code>${path}</code></bdi>`

const fileColumns = ({ language }: StaffContext): Column<File>[] => [
  { name: texts.words.name, kind: 'main', cell: ({ path }) => renderPath(path) },
  { name: texts.staff.lists.heads.kind, kind: 'low', cell: ({ content_type: type }) => type.split(';')[0] ?? '' },
  {
    name: texts.staff.lists.heads.size,
    kind: 'num c-lead',
    cell: ({ byte_size: bytes }) => formatBytes(bytes, language),
  },
]

const problemColumns = ({ t }: StaffContext): Column<Details['problems'][number]>[] => [
  { name: texts.words.file, kind: 'main', cell: ({ entry }) => renderPath(entry ?? t(text.archive)) },
  { name: text.problems, cell: ({ code }) => problemTexts[code] !== undefined && t(problemTexts[code]) },
]

const formatAbout = ({ root_folder: folder, ignored_count: ignored }: Details, { t }: StaffContext): string =>
  [
    ...(folder === null ? [] : [t(text.root, { folder })]),
    ...(ignored === null || ignored === 0 ? [] : [t(text.ignored, { n: ignored })]),
  ].join(' ')

/** GET /staff/pages/:id/bundles/:deployment: why it was refused, its files, and what happened to it. */
export const deploymentDetails = page('GET /staff/pages/:id/bundles/:deployment', staff, async context => {
  const { t, call, params, time } = context
  const deployment = await call({
    operation: 'getDeployment',
    params: { page_id: params.id ?? '', deployment_id: params.deployment ?? '' },
    returns: PageDeploymentDetails,
  })
  const { preview_url: preview, url, problems, files } = deployment
  const shown = url ?? preview
  const about = formatAbout(deployment, context)
  return context.frame({
    title: time(deployment.created_at),
    badge: statusPill(t(text.statuses[deployment.status]), deployment.status),
    parents: [{ path: `/staff/pages/${deployment.page_id}/bundles`, name: t(texts.words.versions) }],
    ...(shown !== null && {
      actions: html`<a class="button" href="${shown}" rel="noopener">${t(url === null ? text.look : texts.words.openPage)}</a>`,
    }),
    isWide: true,
    hasCards: true,
    body: html`<div class="split"><div class="stack">${problems.length > 0 && renderPart(context, { id: 'problems', title: t(text.problems), columns: problemColumns(context), rows: problems })}${renderPart(
      context,
      {
        id: 'files',
        title: t(texts.words.files),
        columns: fileColumns(context),
        rows: files,
        none: t(text.noFiles),
        below: about !== '' && about,
      },
    )}</div>
${card(t(text.log), factList(deployment.log.map(({ event, at }) => [t(text.events[event]), time(at)])))}</div>`,
  })
})
