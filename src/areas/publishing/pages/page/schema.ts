import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Warnings } from '#src/contract/warning.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  AllowedActions,
  Closed,
  Id,
  Instant,
  Line,
  Nullable,
  OneOf,
  PublicPath,
  Ref,
  Revision,
  Seo,
} from '#src/kit/shapes.ts'
import { MAX_REDIRECTS } from '../addresses/rules.ts'
import { PageCards } from '../blocks/cards.schema.ts'
import { PageBlocks } from '../blocks/schema.ts'

const kinds = ['content', 'static'] as const
const statuses = ['draft', 'scheduled', 'published'] as const

// Who sees a page once it is published.
const pageVisibilities = ['listed', 'unlisted', 'members'] as const

const kind = OneOf(kinds, 'content: made of blocks; static: a bundle of files, see its deployments')

const settings = {
  title: Line(200, 'The title of the page'),
  path: PublicPath,
  blocks: PageBlocks,
  seo: Seo,
  visibility: OneOf(
    pageVisibilities,
    'Once published. listed: also in the navigation, the sitemap and the search; unlisted: by its address alone; members: for people who are signed in',
  ),
  nav_label: Nullable(Line(60, 'Its name in the built-in navigation of the site; null: it is not there')),
  redirects: Type.Array(PublicPath, {
    maxItems: MAX_REDIRECTS,
    uniqueItems: true,
    description:
      'Other paths that lead to the page. When the path of a page that was published changes, the old one is added',
  }),
}

// The writable fields of a page.
const PageSettings = Type.Object(settings)

const { blocks: _blocks, redirects, ...shownSettings } = settings

const shared = {
  id: Id('pag'),
  kind,
  ...shownSettings,
  url: Type.String({ description: 'Its address on the site' }),
  is_home: Type.Boolean({ description: 'Whether it is the page at / once it is published' }),
  position: Type.Integer({ minimum: 0, description: 'Its place among the pages of the school' }),
  status: OneOf(statuses, 'How far it has got; only a published page is public'),
  version: Type.Integer({
    minimum: 1,
    description: 'The number of the version that this is: for staff the newest one, else the published one',
  }),
  published_version: Type.Optional(
    Nullable(Type.Integer({ description: 'The number of the version that visitors see; for staff' })),
  ),
  has_changes: Type.Optional(
    Type.Boolean({ description: 'Whether the newest version differs from the published one; for staff' }),
  ),
  live_deployment_id: Type.Optional(Nullable(Id('dep'))),
  publish_at: Type.Optional(Nullable(Instant)),
  published_at: Nullable(Instant),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
}

/** A page of a list, without its content. */
export const SitePageLine = Closed('SitePageLine', shared)

/** A page of the school's site. */
export const SitePage = Closed('SitePage', {
  ...shared,
  blocks: PageBlocks,
  files: Type.Array(FileView, { description: 'The files that the blocks name' }),
  cards: Type.Optional(PageCards),
  redirects: Type.Optional(redirects),
  allowed_actions: Type.Optional(AllowedActions),
  warnings: Type.Optional(Warnings),
})

/** A new page; only the title is required. */
export const NewSitePage = Closed('NewSitePage', {
  ...Type.Partial(PageSettings).properties,
  title: settings.title,
  kind: Type.Optional(kind),
})

/** A change of a page. */
export const SitePageChanges = MergePatch(PageSettings, 'SitePageChanges')

/** A copy of a page. */
export const SitePageCopy = Closed('SitePageCopy', {
  title: Type.Optional(settings.title),
  path: Type.Optional(PublicPath),
})

/** How a deleted page comes back. */
export const SitePageRestoration = Closed('SitePageRestoration', { path: Type.Optional(PublicPath) })

/** The page in a path. */
export const PageRef = Type.Object({ page_id: Ref('pag', ['slug', 'path']) })

/** The query parameters of the list of pages. */
export const PagesQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['created_at', 'position'] as const),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of the title' })),
  status: Type.Optional(OneOf(statuses, 'Only this status')),
  visibility: Type.Optional(OneOf(pageVisibilities, 'Only this visibility')),
  'id[in]': Type.Optional(
    Type.Array(Id('pag'), { minItems: 1, maxItems: 100, description: 'Only these, joined by commas' }),
  ),
})

/** One page of the list of pages. */
export const SitePageList = PageOf(SitePageLine, 'SitePageList')

/** The input of a page, as values. */
export type PageInput = Partial<Static<typeof PageSettings>>
