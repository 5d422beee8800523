import type { Static } from 'typebox'
import { filesById, fileViews, useFile } from '#src/areas/files/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import { type AsCaller, operation, type ReadContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { withoutFiles } from '../blocks/rules.ts'
import type { BlockInput } from '../blocks/schema.ts'
import { getPage, lockPage } from '../page/access.ts'
import { about } from '../page/operations.ts'
import { type PageContent, type PageRow, storePage, storeVersion } from '../page/queries.ts'
import { PageRef, SitePage } from '../page/schema.ts'
import { pageView } from '../page/views.ts'
import { findVersion, type VersionLine, type VersionRow, versionList } from './queries.ts'
import { PageVersion, PageVersionList, PageVersionRef, VersionsQuery } from './schema.ts'

const lineOf = ({ number, title, is_newest, is_published, restores, created_at }: VersionLine) => ({
  number,
  title,
  is_newest,
  is_published,
  restores,
  created_at,
})

const getVersion = async ({ db, school }: AsCaller, page: PageRow, number: string): Promise<VersionRow> => {
  const version = await findVersion(db, school.id, page.id, Number(number))
  if (version === undefined) throw new Refusal(notFound, 'There is no such version.')
  return version
}

const listPageVersions = operation({
  id: 'listPageVersions',
  route: 'GET /pages/:page_id/versions',
  summary: 'List versions of a page',
  description: 'Lists the versions of a page, the newest first; the last hundred are kept, and the published one.',
  scope: 'pages:read',
  who: 'staff',
  mode: 'read',
  params: PageRef,
  query: VersionsQuery,
  returns: PageVersionList,
  example: { params: about },
  async handle(context) {
    const page = await getPage(context, context.params.page_id)
    return readList(context, versionList(context.school.id, page.id), rows => rows.map(lineOf))
  },
})

const getPageVersion = operation({
  id: 'getPageVersion',
  route: 'GET /pages/:page_id/versions/:number',
  summary: 'Get a version of a page',
  description: 'Returns the content of one version of a page.',
  scope: 'pages:read',
  who: 'staff',
  mode: 'read',
  params: PageVersionRef,
  returns: PageVersion,
  example: { params: { ...about, number: '1' } },
  async handle(context): Promise<Static<typeof PageVersion>> {
    const page = await getPage(context, context.params.page_id)
    const version = await getVersion(context, page, context.params.number)
    const files = await fileViews(context, version.files)
    return {
      ...lineOf(version),
      blocks: version.blocks as unknown as BlockInput[],
      seo: { title: version.seo_title, description: version.seo_description },
      files: [...files.values()],
    }
  },
})

type Restoring = AsCaller<SignedIn> & Pick<ReadContext, 'keyFor'>

// A superseded version does not keep its files, so some may be gone.
const restoredContent = async ({ db, school }: Restoring, version: VersionRow) => {
  const there = await filesById(db, school.id, version.files)
  const gone = new Set(version.files.filter(id => !there.has(id)))
  const files = version.files.filter(id => !gone.has(id))
  for (const id of files) await useFile({ db, school }, { id, pointer: '/blocks', purposes: ['page'] })
  const { title, seo_title, seo_description } = version
  const content: PageContent = { title, blocks: withoutFiles(version.blocks, gone), seo_title, seo_description }
  return { content, files }
}

const restorePageVersion = operation({
  id: 'restorePageVersion',
  route: 'PUT /pages/:page_id/versions/:number/restoration',
  summary: 'Restore a version of a page',
  description:
    'Makes the content of a version the newest version, which visitors see once the page is published again. Images whose files were deleted since are left out.',
  scope: 'pages:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: PageVersionRef,
  returns: SitePage,
  example: { params: { ...about, number: '1' } },
  async handle(context) {
    const { db, school, now, params, requireMatch, changed, record } = context
    const row = await lockPage(context, params.page_id)
    await requireMatch(row.revision, () => pageView(context, row))
    const version = await getVersion(context, row, params.number)
    const { content, files } = await restoredContent(context, version)
    const fields = changedFields<PageContent>(row, content)
    if (fields.length === 0) return pageView(context, row)
    const { number: restores } = version
    const number = row.version + 1
    await storeVersion(db, school.id, {
      ...content,
      id: newUuid(now.getTime()),
      pageId: row.id,
      number,
      files,
      restores,
    })
    await storePage(db, school.id, row.id, row)
    const stored = await getPage(context, row.id)
    const page = toId('pag', row.id)
    changed({ ids: [page], fields, revision: stored.revision })
    record({ type: 'page.updated', payload: { page, fields, restores } })
    return pageView(context, stored)
  },
})

/** The operations of versions, in the order of the documentation. */
export const versionOperations = [listPageVersions, getPageVersion, restorePageVersion]
