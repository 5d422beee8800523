import type { Static } from 'typebox'
import { PageVersion, PageVersionList, SitePage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  form,
  hidden,
  momentColumn,
  noticeFor,
  page,
  renderName,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { pill } from '../../console/frame.ts'
import { renderPart } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { editPath } from './edit-view.ts'
import { everyOne } from './every-one.ts'
import type { Content } from './page-form.ts'
import { editorRefusals, editorText as text } from './text.ts'
import { versionContent } from './version-content.ts'

const ROUTE = '/staff/pages/:id/versions'

const readParams = ({ params }: StaffContext) => ({ page_id: params.id ?? '' })

const readPage = (context: StaffContext): Promise<Content> =>
  context.call({ operation: 'getPage', params: readParams(context), returns: SitePage })

type Version = Encoded<Static<typeof PageVersionList>>['data'][number]

const restoreForm = ({ t, form }: StaffContext, page: Content, number: number): Html =>
  form(
    html`${hidden({ revision: page.revision, number })}<button type="submit" class="small" aria-label="${t(text.restore)}: ${t(text.version, { n: number })}">${t(text.restore)}</button>`,
  )

const listVersions = async (context: StaffContext, refusal?: Refusal): Promise<Reply> => {
  const { t, language } = context
  const page = await readPage(context)
  const params = readParams(context)
  const versions = await everyOne(query =>
    context.call({ operation: 'listPageVersions', params, query, returns: PageVersionList }),
  )
  const path = `${editPath(page.id)}/versions`
  const columns: Column<Version>[] = [
    {
      name: texts.words.versions,
      kind: 'main',
      cell: ({ number, title }) => renderName(`${path}?version=${number}`, t(text.version, { n: number }), title),
    },
    {
      name: texts.words.status,
      kind: 'lead',
      cell: ({ is_newest: isNewest, is_published: isPublished }) =>
        isPublished ? pill(t(text.shown), 'good') : isNewest && pill(t(text.newest)),
    },
    momentColumn(context, { name: texts.words.date, at: ({ created_at }) => created_at }),
    {
      name: texts.staff.lists.heads.change,
      cell: ({ number, is_newest: isNewest, restores }) =>
        html`${restores !== null && html`<span class="quiet">${t(text.restores, { n: restores })}</span>`}${!isNewest && restoreForm(context, page, number)}`,
    },
  ]
  const title = t(text.versions)
  return context.frame({
    title: `${title}: ${page.title}`,
    lead: t(text.versionsAbout),
    parents: [{ path: editPath(page.id), name: page.title }],
    isWide: true,
    hasCards: true,
    ...noticeFor(refusal, language, { said: { ...staffText.refusals, ...editorRefusals } }),
    body: renderPart(context, { id: 'versions', title, isAlone: true, columns, rows: versions }),
  })
}

const showVersion = async (context: StaffContext): Promise<Reply> => {
  const { t, language } = context
  const params = { ...readParams(context), number: context.query.get('version') ?? '' }
  const [page, version] = await Promise.all([
    readPage(context),
    context.call({ operation: 'getPageVersion', params, returns: PageVersion }),
  ])
  return context.frame({
    title: `${t(text.version, { n: version.number })}: ${version.title}`,
    isWide: true,
    body: html`${versionContent(version, language)}
${!version.is_newest && restoreForm(context, page, version.number)}
<p class="quiet"><a href="${editPath(page.id)}/versions">${t(text.versions)}</a></p>`,
  })
}

const restore = async (context: StaffContext, typed: Pairs): Promise<string> => {
  const params = { ...readParams(context), number: formField(typed, 'number') }
  await context.call({ operation: 'restorePageVersion', params, revision: revisionIn(typed) })
  return `${editPath(params.page_id)}?done=restored`
}

/** GET and POST /staff/pages/:id/versions; `?version=2` shows one of them. */
export const pageVersions: StaffSection = {
  // The editor of a page leads to them.
  pages: [
    page(`GET ${ROUTE}`, staff, context =>
      context.query.has('version') ? showVersion(context) : listVersions(context),
    ),
    form(`POST ${ROUTE}`, staff, (context, typed) =>
      shownAgain(
        () => restore(context, typed),
        refusal => listVersions(context, refusal),
      ),
    ),
  ],
}
