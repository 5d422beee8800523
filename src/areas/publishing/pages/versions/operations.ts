import Type from 'typebox'
import { FileView, filesById, fileViews, useFile } from '#src/areas/files/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { versioned } from '#src/contract/versioned.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { Instant, Nullable, Seo } from '#src/kit/shapes.ts'
import { withoutFiles } from '../blocks/rules.ts'
import { PageBlocks } from '../blocks/schema.ts'
import { getPage, lockPage } from '../page/access.ts'
import { about } from '../page/operations.ts'
import { type PageContent, type PageRow, storePage, storeVersion } from '../page/queries.ts'
import { PageRef, SitePage } from '../page/schema.ts'
import { pageView } from '../page/views.ts'
import { pageVersions, type VersionRow } from './queries.ts'

// A superseded version does not keep its files, so some may be gone.
const restoredContent = async ({ db, school }: SchoolContext, version: VersionRow) => {
  const there = await filesById(db, school.id, version.files)
  const gone = new Set(version.files.filter(id => !there.has(id)))
  const files = version.files.filter(id => !gone.has(id))
  for (const id of files) await useFile({ db, school }, { id, pointer: '/blocks', purposes: ['page'] })
  const { title, seo_title, seo_description } = version
  const content: PageContent = { title, blocks: withoutFiles(version.blocks, gone), seo_title, seo_description }
  return { content, files }
}

/** The operations of the versions of a page, and the shapes of one of them and of a page of a list. */
export const {
  operations: versionOperations,
  version: PageVersion,
  page: PageVersionList,
} = versioned(pageVersions, {
  id: 'Page',
  path: '/pages/:page_id',
  params: PageRef,
  who: 'staff',
  scope: 'pages:read',
  line: {
    number: Type.Integer({ minimum: 1 }),
    title: Type.String(),
    is_newest: Type.Boolean({ description: 'Whether staff edit this one' }),
    is_published: Type.Boolean({ description: 'Whether visitors see this one' }),
    restores: Nullable(Type.Integer({ description: 'The number of the version of which it is a copy' })),
    created_at: Instant,
  },
  content: {
    blocks: PageBlocks,
    seo: Seo,
    files: Type.Array(FileView, { description: 'The files that the blocks name; one that was deleted is missing' }),
  },
  page: 'PageVersionList',
  get: getPage,
  renderShown: async (context, { seo_title: title, seo_description: description, files }) => ({
    seo: { title, description },
    files: [...(await fileViews(context, files)).values()],
  }),
  list: {
    summary: 'List versions of a page',
    description: 'Lists the versions of a page, the newest first; the last hundred are kept, and the published one.',
    example: { params: about },
  },
  read: {
    summary: 'Get a version of a page',
    description: 'Returns the content of one version of a page.',
    example: { params: { ...about, number: '1' } },
  },
  restore: {
    method: 'PUT',
    summary: 'Restore a version of a page',
    description:
      'Makes the content of a version the newest version, which visitors see once the page is published again. Images whose files were deleted since are left out.',
    scope: 'pages:write',
    returns: SitePage,
    example: { params: { ...about, number: '1' } },
    fact: 'page.updated',
    ids: (row: PageRow) => ({ page_id: toId('pag', row.id) }),
    lock: lockPage,
    view: pageView,
    async compare(context, row, version) {
      const { db, school, now } = context
      const { content, files } = await restoredContent(context, version)
      return {
        fields: changedFields<PageContent>(row, content),
        async store() {
          const made = { id: newUuid(now.getTime()), pageId: row.id, number: row.version + 1, restores: version.number }
          await storeVersion(db, school.id, { ...content, ...made, files })
          await storePage(db, school.id, row.id, row)
          return getPage(context, row.id)
        },
      }
    },
  },
})
