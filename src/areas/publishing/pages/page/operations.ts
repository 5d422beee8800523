import type { Static } from 'typebox'
import { warningsOfTexts } from '#src/contract/body.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { changeRow } from '#src/contract/change.ts'
import { declareFor } from '#src/contract/operation.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { lockSite, putRedirects } from '../addresses/queries.ts'
import { pathTaken } from '../addresses/rules.ts'
import { textsOfBlocks } from '../blocks/rules.ts'
import { buildViewer, getPage, lockPage } from './access.ts'
import { pageBin } from './bin.operations.ts'
import { binPage } from './bin.writes.ts'
import { type PageRow, pageList, storePage, storeVersion } from './queries.ts'
import { changedPage, isContent, tooManyPages } from './rules.ts'
import { NewSitePage, PageRef, PagesQuery, SitePage, SitePageChanges, SitePageCopy, SitePageList } from './schema.ts'
import { pageLine, pageView } from './views.ts'
import { addPage, checkValues, preparedBlocks, useFiles } from './writes.ts'

/** A page of the demo data, for the examples. */
export const about = { page_id: 'slug:about' }

const listPages = declareFor('anyone', 'pages', {
  id: 'listPages',
  route: 'GET /pages',
  summary: 'List pages',
  description:
    'Lists the pages of the site, without their blocks. Everybody sees published and listed pages, members also those for members, staff all of them with the title of their newest version.',
  query: PagesQuery,
  returns: SitePageList,
  handle(context) {
    const { school, caller, query } = context
    const { q, status, visibility } = query
    const filter = { viewer: buildViewer(caller), q, status, visibility, ids: query['id[in]'] }
    return readList(context, pageList(school.id, filter), rows => rows.map(row => pageLine(school, caller, row)))
  },
})

// The actions that status and role allow.
const listActions = (caller: Caller, { kind, status, is_home: isHome, visibility }: PageRow): string[] => {
  if (!isStaff(caller)) return ['getPage']
  return [
    'getPage',
    'updatePage',
    'publishPage',
    ...(status === 'draft' ? [] : ['unpublishPage']),
    ...(isHome ? ['clearHomePage'] : visibility === 'members' ? [] : ['setHomePage']),
    'listPageVersions',
    'copyPage',
    ...(kind === 'static' ? [] : ['createPagePreview']),
    'deletePage',
  ]
}

const getSitePage = declareFor('anyone', 'pages', {
  id: 'getPage',
  route: 'GET /pages/:page_id',
  summary: 'Get a page',
  description:
    'Returns one page with its blocks. Anyone who has its address can read an unlisted page; a page for members needs a token. Staff read the newest version, and drafts. `slug:about` names the page at `/about`, `path:%2Fabout%2Fteam` the one at `/about/team`; a path that leads to a page names it too.',
  params: PageRef,
  returns: SitePage,
  expand: { cards: { scope: 'pages:read', who: 'anyone', summary: 'what its blocks show of the school to everybody' } },
  example: { params: about },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const row = await getPage(context, params.page_id)
    const view = await pageView(context, row)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(listActions(caller, row)) }
  },
})

const createPage = declareFor('staff', 'pages', {
  id: 'createPage',
  route: 'POST /pages',
  summary: 'Create a page',
  description: 'Creates a page as a draft. Without a path it gets one from its title.',
  body: NewSitePage,
  returns: SitePage,
  status: 201,
  fails: [pathTaken, tooManyPages],
  example: {
    body: {
      title: 'Visit us',
      blocks: [{ type: 'text', body: 'The bakery is open from **seven**, except on Mondays.' }],
    },
  },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const prepared = preparedBlocks(body.blocks ?? [])
    const row = await getPage(context, await addPage({ db, school, now }, { input: body, prepared }))
    const id = toId('pag', row.id)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'page.created', payload: { page_id: id } })
    return { ...(await pageView(context, row)), warnings: warningsOfTexts('page', textsOfBlocks(body.blocks ?? [])) }
  },
})

const updatePage = declareFor('staff', 'pages', {
  id: 'updatePage',
  route: 'PATCH /pages/:page_id',
  summary: 'Update a page',
  description:
    'Changes the fields of a page that the request names. `title`, `blocks` and `seo` are content: a change makes a new version, which visitors see once the page is published again. The other fields change at once. The old path of a page that was published keeps leading to it.',
  ifMatch: 'honoured',
  params: PageRef,
  body: SitePageChanges,
  returns: SitePage,
  fails: [pathTaken],
  example: { params: about, body: { title: 'About the bakery' } },
  async handle(context) {
    const { db, school, now, params, body } = context
    const prepared = body.blocks === undefined ? undefined : preparedBlocks(body.blocks)
    if (body.path !== undefined || body.redirects !== undefined) await lockSite(db, school.id)
    const row = await lockPage(context, params.page_id)
    return changeRow(context, row, {
      id: toId('pag', row.id),
      fact: 'page.updated',
      values: () => changedPage(row, body, prepared?.blocks),
      check: values => checkValues(context, values, row),
      store: async (values, fields) => {
        if (isContent(fields)) {
          const files = prepared === undefined ? row.files : await useFiles(context, prepared.files, row.files)
          const number = row.version + 1
          await storeVersion(db, school.id, { ...values, id: newUuid(now.getTime()), pageId: row.id, number, files })
        }
        if (fields.includes('redirects')) await putRedirects(db, school.id, row.id, values.redirects)
        await storePage(db, school.id, row.id, values)
        return getPage(context, row.id)
      },
      view: async stored => ({
        ...(await pageView(context, stored)),
        warnings: warningsOfTexts('page', textsOfBlocks(body.blocks ?? [])),
      }),
    })
  },
})

// Everything but what one page alone has.
const buildCopy = (row: PageRow, { title, path }: Static<typeof SitePageCopy>) => ({
  title: title ?? row.title,
  kind: row.kind,
  visibility: row.visibility,
  seo: { title: row.seo_title, description: row.seo_description },
  ...(path === undefined ? {} : { path }),
})

const copyPage = declareFor('staff', 'pages', {
  id: 'copyPage',
  route: 'POST /pages/:page_id/copies',
  summary: 'Copy a page as a draft',
  description:
    'Creates a draft with the content of the newest version of a page. It gets a path of its own; name in the navigation, redirects and deployments are not copied.',
  params: PageRef,
  body: SitePageCopy,
  returns: SitePage,
  status: 201,
  fails: [pathTaken, tooManyPages],
  example: { params: about, body: { title: 'About our flour' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    await lockSite(db, school.id)
    const row = await lockPage(context, params.page_id)
    const input = buildCopy(row, body)
    const prepared = {
      blocks: [...row.blocks],
      files: row.files.map(id => ({ id, pointer: '/blocks', isShown: false })),
    }
    const stored = await getPage(context, await addPage({ db, school, now }, { input, prepared }))
    const ids = { page_id: toId('pag', stored.id), copied_from_id: toId('pag', row.id) }
    changed({ ids: [ids.page_id], fields: [...Object.keys(input), 'blocks'], revision: stored.revision })
    record({ type: 'page.created', payload: ids })
    return pageView(context, stored)
  },
})

const deletePage = declareFor('staff', 'pages', {
  id: 'deletePage',
  route: 'DELETE /pages/:page_id',
  summary: 'Delete a page',
  description:
    'Deletes a page. For 30 days it is in the bin, from which it can be restored with its versions and redirects. If it is the home page, / shows the built-in one again.',
  ifMatch: 'honoured',
  params: PageRef,
  returns: undefined,
  example: { params: { page_id: 'slug:summer-classes' } },
  async handle(context) {
    const { db, school, caller, params, requireMatch, changed, record } = context
    await lockSite(db, school.id)
    const row = await lockPage(context, params.page_id)
    await requireMatch(row.revision, () => pageView(context, row))
    await binPage(context, row, caller.member.id)
    const id = toId('pag', row.id)
    changed({ ids: [id], fields: [] })
    record({ type: 'page.deleted', payload: { page_id: id }, effects: texts.publishing.pages.deletion })
  },
})

/** The operations of pages, in the order of the documentation. */
export const pageOperations = [listPages, getSitePage, createPage, updatePage, copyPage]

/** The deletion of a page and what can be done then, which the documentation has last. */
export const pageDeletions = [deletePage, pageBin.restore, pageBin.purge]
