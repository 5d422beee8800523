import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { isNamed } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { bodyWords } from '#src/kit/search-words.ts'
import { fold } from '#src/kit/text.ts'
import { type Block, joinWords } from '../blocks/rules.ts'

/** What a version of a page has. */
export type PageContent = {
  readonly title: string
  readonly blocks: readonly Block[]
  readonly seo_title: string | null
  readonly seo_description: string | null
}

/** What is stored of a page as its settings say. */
export type PageValues = PageContent & {
  readonly path: string
  readonly visibility: 'listed' | 'unlisted' | 'members'
  readonly nav_label: string | null
  readonly redirects: readonly string[]
}

/** A page without its blocks, as lists have it. */
export type PageLine = Recorded<Omit<PageValues, 'blocks' | 'redirects'>> & {
  readonly id: string
  readonly kind: 'content' | 'static'
  readonly is_home: boolean
  readonly position: number
  readonly status: 'draft' | 'scheduled' | 'published'
  /** The version whose title and blocks these are. */
  readonly shown_version: number
  readonly version: number
  readonly published_version: number | null
  readonly live_deployment_id: string | null
  readonly publish_at: Date | null
  readonly published_at: Date | null
}

/** A page with the content that a viewer sees. */
export type PageRow = PageLine & PageValues & { readonly files: readonly string[] }

/** Who looks: staff see the newest version of every page, others the published version of those that are public to them. */
export type PageViewer = 'staff' | 'member' | 'anyone'

const lineColumns = sql`p.id, p.kind, p.path, p.visibility, p.nav_label, p.is_home, p.position, p.status, p.version,
  p.published_version, p.live_deployment_id, p.publish_at, p.published_at, p.revision, p.created_at, p.updated_at,
  v.number as shown_version, v.title, v.seo_title, v.seo_description`

const columnsFor = (schoolId: string): Statement => sql`${lineColumns}, v.blocks, v.files,
  array(select r.path from page_paths r where r.school_id = ${schoolId} and r.page_id = p.id order by r.path) as redirects`

const shownTo = (viewer: PageViewer): Statement => sql`pages p
  join page_versions v on v.school_id = p.school_id and v.page_id = p.id
    and v.number = ${viewer === 'staff' ? sql`p.version` : sql`p.published_version`}`

const visibleTo: Readonly<Record<PageViewer, Statement | undefined>> = {
  staff: undefined,
  member: sql`p.status = 'published'`,
  anyone: sql`p.status = 'published' and p.visibility <> 'members'`,
}

/** Which pages are meant; what is undefined does not matter. */
type PageFilter = {
  readonly viewer: PageViewer
  readonly q?: string | undefined
  readonly status?: PageLine['status'] | undefined
  readonly visibility?: PageLine['visibility'] | undefined
  readonly ids?: readonly string[] | undefined
}

const matching = (schoolId: string, { viewer, q, status, visibility, ids }: PageFilter): Statement =>
  joinConditions(
    sql`p.school_id = ${schoolId}`,
    visibleTo[viewer],
    viewer === 'staff' ? undefined : sql`p.visibility <> 'unlisted'`,
    when(q, text => sql`p.id in (select stoa.search('page', ${fold(text)}, null, null))`),
    when(status, word => sql`p.status = ${word}`),
    when(visibility, word => sql`p.visibility = ${word}`),
    when(ids, some => sql`p.id = any (${some}::uuid[])`),
  )

/** The pages of a filter in the order of the school. */
export const pageList = (schoolId: string, filter: PageFilter): List<PageLine> => ({
  columns: lineColumns,
  from: shownTo(filter.viewer),
  where: matching(schoolId, filter),
  id: sql`p.id`,
  keys: { position: integerKey(sql`p.position`, row => row.position) },
  sort: 'position',
})

/** The paths of the pages of blocks that anybody finds in the list, but for the home page; the oldest first. */
export const listPublicPaths = (
  db: Db,
  schoolId: string,
  { from, rows }: { readonly from: number; readonly rows: number },
): Promise<{ path: string; updated_at: Date }[]> =>
  db.all(sql<{ path: string; updated_at: Date }>`
    select p.path, p.updated_at from pages p
    where p.school_id = ${schoolId} and p.status = 'published' and p.visibility = 'listed' and p.kind = 'content'
      and not p.is_home
    order by p.id limit ${rows} offset ${from}`)

/** How many pages of blocks anybody finds in the list, but for the home page. */
export const countPublicPages = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from pages p
      where p.school_id = ${schoolId} and p.status = 'published' and p.visibility = 'listed' and p.kind = 'content'
        and not p.is_home`)
  ).count

const pathOfRef = (ref: string): string | undefined => {
  if (ref.startsWith('path:')) return ref.slice('path:'.length)
  return ref.startsWith('slug:') ? `/${ref.slice('slug:'.length)}` : undefined
}

// A path that a page has now comes before one that leads to another page.
const named = (schoolId: string, ref: string): Statement => {
  const path = pathOfRef(ref)
  if (path === undefined) return sql`p.school_id = ${schoolId} and ${isNamed(ref, { id: sql`p.id` })}`
  return sql`p.school_id = ${schoolId} and p.id = coalesce(
    (select o.id from pages o where o.school_id = ${schoolId} and o.path = ${path}),
    (select r.page_id from page_paths r where r.school_id = ${schoolId} and r.path = ${path}))`
}

/** The page in a path, if the viewer may see it. */
export const findPageRow = (db: Db, schoolId: string, viewer: PageViewer, ref: string) =>
  db.first(sql<PageRow>`
    select ${columnsFor(schoolId)} from ${shownTo(viewer)} where ${joinConditions(named(schoolId, ref), visibleTo[viewer])}`)

/** Locks the page in a path until the transaction ends and returns its UUID; its values are read afterwards. */
export const lockPageRow = async (db: Db, schoolId: string, ref: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select p.id from pages p where ${named(schoolId, ref)} for no key update of p`)
  )?.id

/** How many pages a school has. */
export const countPages = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from pages p where p.school_id = ${schoolId}`)
  ).count

/** A version to be stored; `id` is that of its row. */
type NewVersion = PageContent & {
  readonly id: string
  readonly pageId: string
  readonly number: number
  readonly files: readonly string[]
  readonly restores?: number | undefined
}

const wordsOfVersion = ({ title, blocks }: PageContent): Statement =>
  sql`${fold(title)}, ${bodyWords(`${title} ${joinWords(blocks)}`)}`

const insertVersion = (schoolId: string, version: NewVersion): Statement => sql`
  insert into page_versions (school_id, id, page_id, number, title, blocks, seo_title, seo_description, files,
    words_folded, body_words, restores, created_at)
  select ${schoolId}::uuid, ${version.id}::uuid, ${version.pageId}::uuid, ${version.number}::integer, ${version.title},
    ${JSON.stringify(version.blocks)}::json, ${version.seo_title}, ${version.seo_description},
    ${version.files}::uuid[], ${wordsOfVersion(version)}, ${version.restores ?? null}::integer, now
  from clock`

/** Stores a new draft, as the last of the pages, with its first version. */
export const insertPage = async (
  db: Db,
  schoolId: string,
  page: Pick<PageRow, 'id' | 'kind' | 'path' | 'visibility' | 'nav_label'>,
  version: NewVersion,
): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now),
    version as (${insertVersion(schoolId, version)})
    insert into pages (school_id, id, kind, path, visibility, nav_label, position, status, version, created_at, updated_at)
    select ${schoolId}::uuid, ${page.id}::uuid, ${page.kind}, ${page.path}, ${page.visibility}, ${page.nav_label},
      (select coalesce(max(o.position) + 1, 0) from pages o where o.school_id = ${schoolId}), 'draft',
      ${version.number}::integer, now, now
    from clock`)
}

/** Stores what is not content of a page as its next revision. */
export const storePage = (
  db: Db,
  schoolId: string,
  id: string,
  { path, visibility, nav_label: label }: Pick<PageValues, 'path' | 'visibility' | 'nav_label'>,
) =>
  db.run(sql`
    update pages set path = ${path}, visibility = ${visibility}, nav_label = ${label}, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

const MAX_VERSIONS = 100

/** Stores the next version of a locked page, and deletes those that are too many; the published one stays. */
export const storeVersion = async (db: Db, schoolId: string, version: NewVersion): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now),
    version as (${insertVersion(schoolId, version)})
    update pages set version = ${version.number} where school_id = ${schoolId} and id = ${version.pageId}`)
  await db.run(sql`
    delete from page_versions v using pages p
    where v.school_id = ${schoolId} and v.page_id = ${version.pageId} and v.number <= ${version.number - MAX_VERSIONS}
      and p.school_id = v.school_id and p.id = v.page_id and v.number is distinct from p.published_version`)
}
