import { PageVersion, PageVersionList, SitePage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { form, hidden, noticeFor, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
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

const restoreForm = ({ t, form }: StaffContext, page: Content, number: number): Html =>
  form(
    html`${hidden({ revision: page.revision, number })}<button type="submit" aria-label="${t(text.restore)}: ${t(text.version, { n: number })}">${t(text.restore)}</button>`,
  )

const listVersions = async (context: StaffContext, refusal?: Refusal): Promise<Reply> => {
  const { t, language, time } = context
  const page = await readPage(context)
  const params = readParams(context)
  const versions = await everyOne(query =>
    context.call({ operation: 'listPageVersions', params, query, returns: PageVersionList }),
  )
  const path = `${editPath(page.id)}/versions`
  return context.frame({
    title: `${t(text.versions)}: ${page.title}`,
    isWide: true,
    ...noticeFor(refusal, language, { said: { ...staffText.refusals, ...editorRefusals } }),
    body: html`<p class="quiet">${t(text.versionsAbout)}</p>
<ul class="list">
${versions.map(({ number, title, is_newest: isNewest, is_published: isPublished, restores, created_at: at }) => {
  const facts = [
    time(at),
    ...(restores === null ? [] : [t(text.restores, { n: restores })]),
    ...(isNewest ? [t(text.newest)] : []),
    ...(isPublished ? [t(text.shown)] : []),
  ]
  return html`<li><a href="${path}?version=${number}">${t(text.version, { n: number })}</a>: <bdi>${title}</bdi> <span class="quiet">${facts.join(' · ')}</span>
${!isNewest && restoreForm(context, page, number)}</li>
`
})}</ul>
<p class="quiet"><a href="${editPath(page.id)}">${t(text.backToPage)}</a></p>`,
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
