import type { Static } from 'typebox'
import { MAX_ARCHIVE_BYTES, type PageDeployment, PageDeploymentList, SitePage } from '#src/areas/publishing/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  doneIn,
  type FormFile,
  type FormWithFiles,
  fileForm,
  hidden,
  noticeFor,
  page,
  readDone,
  renderName,
  revisionIn,
  submitAct,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { card, statusPill } from '../../console/frame.ts'
import { fileRefusals, renderFileForm, storeFile } from '../../files/uploads/index.ts'
import { renderPart } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'

const { bundleRefusals, common: text } = texts.staff.bundles
const { heads } = texts.staff.lists

const refusals = { ...fileRefusals, ...bundleRefusals, pages_host_missing: text.noHostRefused }

const ROUTE = '/staff/pages/:id/bundles'

type Deployment = Encoded<Static<typeof PageDeployment>>
type Page = Encoded<Static<typeof SitePage>>

const actForm = (act: 'promote' | 'delete', one: Deployment, revision: number, context: StaffContext): Html => {
  const { t, form, time } = context
  const label = t(act === 'delete' ? texts.words.delete : one.status === 'superseded' ? text.rollBack : text.promote)
  return form(
    html`${hidden({ act, deployment: one.id, revision })}<button type="submit" class="small" aria-label="${label}: ${time(one.created_at)}">${label}</button>`,
  )
}

const buildColumns = (page: Page, context: StaffContext): Column<Deployment>[] => {
  const { t, language, request, time } = context
  const describe = ({ file_count: n, byte_size: bytes }: Deployment): string | false =>
    n !== null && bytes !== null && t(text.count, { n, size: formatBytes(bytes, language) })
  return [
    {
      name: heads.created,
      kind: 'main',
      cell: one => renderName(`${request.path}/${one.id}`, time(one.created_at), describe(one)),
    },
    { name: texts.words.status, kind: 'lead', cell: one => statusPill(t(text.statuses[one.status]), one.status) },
    {
      name: texts.words.page,
      cell: ({ url, preview_url: preview }) => {
        const shown = url ?? preview
        return (
          shown !== null &&
          html`<a href="${shown}" rel="noopener">${t(url === null ? text.look : texts.words.openPage)}</a>`
        )
      },
    },
    {
      name: heads.change,
      cell: one => {
        const { allowed_actions: allowed } = one
        return html`<span class="row">${allowed.includes('promoteDeployment') && actForm('promote', one, page.revision, context)}${allowed.includes('deleteDeployment') && actForm('delete', one, one.revision, context)}</span>`
      },
    },
  ]
}

const uploadForm = ({ t, language, request, token }: StaffContext): Html =>
  renderFileForm({
    action: request.path,
    token,
    language,
    id: 'archive',
    fields: { act: 'upload' },
    purpose: 'page',
    most: 50_000_000,
    label: t(text.file),
    button: t(text.uploadButton),
    accept: '.zip,application/zip',
    hint: t(text.fileHint),
  })

// What whoever runs the server has to do, before anything can be shown.
const missingHost = ({ t, school }: StaffContext): Html => html`<section class="card">
<h2>${t(text.noHostTitle)}</h2>
<p>${t(text.noHost)}</p>
<p>${t(text.noHostSteps)}</p>
<p><code>stoa schools set --school ${school.baseUrl} --pages-url https://pages.example.net</code></p>
</section>
`

const show = async (context: StaffContext, refusal?: Refusal): Promise<Reply> => {
  const { t, call, language, request } = context
  const params = { page_id: context.params.id ?? '' }
  const page = await call({ operation: 'getPage', params, returns: SitePage })
  const { data } = await call({ operation: 'listDeployments', params, returns: PageDeploymentList })
  const { pages_url: pagesUrl } = await call({ operation: 'getSchool', returns: School })
  return context.frame({
    title: t(text.title, { page: page.title }),
    parents: [{ path: `/staff/pages/${page.id}`, name: page.title }],
    ...(refusal === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(refusal, language, { said: { ...staffText.refusals, ...refusals } })),
    lead: t(text.about),
    isWide: true,
    hasCards: true,
    body: html`<div class="stack">${pagesUrl === null && missingHost(context)}${page.status !== 'published' && html`<p class="note">${t(text.notPublished)}</p>\n`}${card(t(texts.words.uploadNewVersion), uploadForm(context))}${renderPart(context, { id: 'versions', title: t(texts.words.versions), columns: buildColumns(page, context), rows: data, none: t(text.none) })}</div>`,
  })
}

// It is not uploaded first.
const tooLarge = (): Refusal =>
  new Refusal(invalidBody, 'The archive is too large.', {
    errors: [{ pointer: '/file_id', code: 'maximum', message: `has more than ${MAX_ARCHIVE_BYTES} bytes` }],
  })

const storeArchive = ({ parts, person }: StaffContext, file: FormFile | undefined): Promise<string> => {
  if (file !== undefined && file.bytes > MAX_ARCHIVE_BYTES) throw tooLarge()
  return storeFile(parts, person, file, 'page')
}

const one = { params: { deployment_id: 'deployment' }, offered: () => false }

const acts = {
  upload: { operation: 'createDeployment', isOnce: true, offered: () => false },
  promote: { operation: 'promoteDeployment', ...one },
  delete: { operation: 'deleteDeployment', ...one },
}

const submit = (context: StaffContext, { form: typed, files }: FormWithFiles): Promise<Reply> =>
  submitAct(
    context,
    { acts, typed, params: { page_id: context.params.id ?? '' } },
    {
      async perform(act, call) {
        if (act === 'upload') await context.call({ ...call, body: { file_id: await storeArchive(context, files[0]) } })
        else await context.call({ ...call, revision: revisionIn(typed) })
        return `${context.request.path}?done=${act}`
      },
      show: ({ refusal }) => show(context, refusal),
    },
  )

/** GET and POST /staff/pages/:id/bundles: the deployments of a page, the form for another one, and what staff do with each. */
export const deploymentList = [
  page(`GET ${ROUTE}`, staff, context => show(context)),
  fileForm(`POST ${ROUTE}`, staff, submit),
]
