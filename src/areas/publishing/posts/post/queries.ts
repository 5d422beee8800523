import { buildVisibleProfile } from '#src/areas/courses/index.ts'
import { accessIs, entitledTo } from '#src/areas/learning/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { buildAssignments, buildColumns, buildValues, columnNames } from '#src/db/columns.ts'
import { putLinks } from '#src/db/links.ts'
import { instantKey, type List, textKey } from '#src/db/list.ts'
import { isAddressed } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'
import type { PostBody } from '../content/rules.ts'
import { postCategoryLinks, postSlugs, postTags } from './conditions.ts'

/** What a version has of a post beside its body. */
export type PostTexts = { readonly title: string; readonly subtitle: string; readonly excerpt: string }

type Stored = {
  readonly slug: string
  readonly access: 'public' | 'members' | 'paid'
  readonly plan_ids: readonly string[]
  readonly cover_file_id: string | null
  readonly featured: boolean
  readonly comments: 'open' | 'closed' | 'off'
  readonly canonical_url: string | null
  readonly seo_title: string | null
  readonly seo_description: string | null
  readonly external_id: string | null
}

/** What is stored of a post as its settings say. */
export type PostSettingValues = Stored & { readonly tags: readonly string[]; readonly category_ids: readonly string[] }

const storedColumns = [
  'slug',
  'access',
  'plan_ids',
  'cover_file_id',
  'featured',
  'comments',
  'canonical_url',
  'seo_title',
  'seo_description',
  'external_id',
] as const satisfies readonly (keyof Stored)[]

/** A post as a viewer sees it in a list, without its body. */
export type PostLine = PostSettingValues &
  PostTexts & {
    readonly id: string
    readonly title_folded: string
    readonly opening: string
    readonly has_fold: boolean
    readonly reading_minutes: number
    readonly author_id: string | null
    /** The visible profile of the author. */
    readonly author: { readonly id: string; readonly name: string } | null
    readonly status: 'draft' | 'scheduled' | 'published' | 'archived'
    readonly publish_at: Date | null
    readonly published_at: Date | null
    readonly mailed_at: Date | null
    readonly listed_at: Date
    readonly version: number
    /** Whether the viewer may read the body. */
    readonly is_open: boolean
    readonly revision: number
    readonly changed_in: string
    readonly created_at: Date
    readonly updated_at: Date
  }

/** A post with its body. */
export type PostRow = PostLine & Omit<PostBody, 'opening' | 'reading_minutes'>

/** The viewer of posts: staff see every post, others published ones, and those who may write also their own. */
export type PostViewer = {
  readonly memberId: string | undefined
  readonly isStaff: boolean
  readonly isWriter: boolean
}

const clock = sql`with clock as materialized (select stoa.now() as now)`

const isOwn = ({ memberId, isWriter }: PostViewer): Statement | undefined =>
  memberId !== undefined && isWriter ? sql`p.author_id = ${memberId}` : undefined

// The plans that open the paid posts that name no plan.
const openingPosts = (schoolId: string): Statement =>
  sql`array(select o.id from membership_plans o where o.school_id = ${schoolId} and o.opens_posts)`

// A plan opens the paid posts of a category that is among its items.
const isInOpenCategory = (schoolId: string, memberId: string): Statement => sql`exists (
  select from post_category_links k
  where k.school_id = ${schoolId} and k.post_id = p.id
    and ${accessIs('active', schoolId, sql`${memberId}`, { type: 'post_category', id: sql`k.category_id` })})`

// In a statement with the `clock`.
const isOpenTo = (schoolId: string, viewer: PostViewer): Statement => {
  const { memberId, isStaff } = viewer
  if (isStaff) return sql`true`
  if (memberId === undefined) return sql`p.access = 'public'`
  const plans = { type: 'membership_plan' } as const
  return sql`(p.access <> 'paid' or coalesce(${isOwn(viewer) ?? sql`false`}, false)
    or case when p.plan_ids = '{}' then ${entitledTo(schoolId, memberId, { ...plans, ids: openingPosts(schoolId) })}
      else ${entitledTo(schoolId, memberId, { ...plans, ids: sql`p.plan_ids` })} end
    or ${isInOpenCategory(schoolId, memberId)})`
}

const lineFor = (
  schoolId: string,
  viewer: PostViewer,
): Statement => sql`p.id, ${buildColumns('p', storedColumns)}, p.title_folded, p.author_id, p.status, p.publish_at,
  p.published_at, p.mailed_at, p.listed_at, p.version, p.revision, p.changed_in, p.created_at, p.updated_at,
  v.title, v.subtitle, v.excerpt, v.opening, v.teaser_html is not null as has_fold, v.reading_minutes,
  array(select t.tag from post_tags t where t.school_id = ${schoolId} and t.post_id = p.id order by t.tag) as tags,
  array(select k.category_id from post_category_links k
    where k.school_id = ${schoolId} and k.post_id = p.id order by k.category_id) as category_ids,
  (select jsonb_build_object('id', a.id, 'name', a.display_name)
    from (${buildVisibleProfile(schoolId, sql`p.author_id`)}) as a) as author,
  ${isOpenTo(schoolId, viewer)} as is_open`

const from = sql`posts p join post_versions v on v.school_id = p.school_id and v.post_id = p.id and v.number = p.version`

/** The condition that a viewer finds the post `p`. */
const seenBy = (viewer: PostViewer): Statement => {
  if (viewer.isStaff) return sql`p.deleted_at is null`
  const own = isOwn(viewer)
  const seen = own === undefined ? sql`p.status = 'published'` : sql`(p.status = 'published' or ${own})`
  return sql`p.deleted_at is null and ${seen}`
}

/** The condition that the post `p` of a school is in lists for a viewer. */
export const listedFor = (schoolId: string, viewer: PostViewer): Statement =>
  sql`p.school_id = ${schoolId} and ${seenBy(viewer)}`

/** Which posts are meant; what is undefined does not matter. */
export type PostFilter = {
  readonly viewer: PostViewer
  readonly q?: string | undefined
  readonly status?: PostLine['status'] | undefined
  readonly access?: PostLine['access'] | undefined
  readonly categoryId?: string | undefined
  readonly tag?: string | undefined
  readonly lecturerId?: string | undefined
  readonly isFeatured?: boolean | undefined
  /** Whether the viewer manages them. */
  readonly isManaged?: boolean | undefined
  readonly ids?: readonly string[] | undefined
  readonly publishedFrom?: Date | undefined
  readonly publishedBefore?: Date | undefined
}

const managedBy = (viewer: PostViewer): Statement =>
  viewer.isStaff ? sql`true` : sql`coalesce(${isOwn(viewer) ?? sql`false`}, false)`

const matching = (schoolId: string, filter: PostFilter): Statement =>
  joinConditions(
    listedFor(schoolId, filter.viewer),
    when(filter.q, q => sql`p.id in (select stoa.search('post', ${fold(q)}, null, null))`),
    when(filter.status, status => sql`p.status = ${status}`),
    when(filter.access, access => sql`p.access = ${access}`),
    when(
      filter.categoryId,
      id => sql`p.id in (
        select k.post_id from post_category_links k where k.school_id = ${schoolId} and k.category_id = ${id})`,
    ),
    when(
      filter.tag,
      tag => sql`p.id in (select t.post_id from post_tags t where t.school_id = ${schoolId} and t.tag = ${tag})`,
    ),
    when(
      filter.lecturerId,
      id => sql`p.author_id in (
        select l.member_id from lecturers l where l.school_id = ${schoolId} and l.id = ${id} and l.visibility = 'visible')`,
    ),
    when(filter.isManaged, is => sql`(${managedBy(filter.viewer)}) = ${is}`),
    when(filter.isFeatured, is => sql`p.featured = ${is}`),
    when(filter.ids, ids => sql`p.id = any (${ids}::uuid[])`),
    when(filter.publishedFrom, at => sql`p.published_at >= ${at}`),
    when(filter.publishedBefore, at => sql`p.published_at < ${at}`),
  )

/** The posts of a filter, the newest first. */
export const postList = (schoolId: string, filter: PostFilter): List<PostLine> => ({
  columns: lineFor(schoolId, filter.viewer),
  from,
  where: matching(schoolId, filter),
  id: sql`p.id`,
  keys: {
    published_at: instantKey(sql`p.listed_at`, row => row.listed_at),
    title: textKey(sql`p.title_folded`, row => row.title_folded),
  },
  sort: '-published_at',
  changedIn: sql`p.changed_in`,
  hasClock: true,
  counted: { from: sql`posts p`, where: matching(schoolId, filter) },
})

/** The titles of those of some posts that a viewer finds. */
export const listSeenTitles = (
  db: Db,
  schoolId: string,
  viewer: PostViewer,
  ids: readonly string[],
): Promise<{ id: string; title: string }[]> =>
  db.all(sql<{ id: string; title: string }>`
    select p.id, v.title from ${from} where ${listedFor(schoolId, viewer)} and p.id = any (${ids}::uuid[])`)

/** The posts whose comments a viewer reads without naming one: staff all that exist, others those that they manage. */
export const postsCommentedFor = (schoolId: string, viewer: PostViewer): Statement =>
  sql`select p.id from posts p where p.school_id = ${schoolId} and p.deleted_at is null and ${managedBy(viewer)}`

const ANYBODY: PostViewer = { memberId: undefined, isStaff: false, isWriter: false }

/** The slugs of the posts that anybody finds in the list, the oldest first. */
export const listPublicPosts = (
  db: Db,
  schoolId: string,
  { from: start, rows }: { readonly from: number; readonly rows: number },
): Promise<{ slug: string; updated_at: Date }[]> =>
  db.all(sql<{ slug: string; updated_at: Date }>`
    select p.slug, p.updated_at from posts p where ${listedFor(schoolId, ANYBODY)}
    order by p.id limit ${rows} offset ${start}`)

/** How many posts anybody finds in the list. */
export const countPublicPosts = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from posts p where ${listedFor(schoolId, ANYBODY)}`)
  ).count

const named = (schoolId: string, ref: string): Statement => isAddressed(schoolId, ref, postSlugs, sql`p`)

/** The post in a path with its body, if the viewer may find it. */
export const findPostRow = (db: Db, schoolId: string, viewer: PostViewer, ref: string) =>
  db.first(sql<PostRow>`
    ${clock} select ${lineFor(schoolId, viewer)}, v.body, v.body_format, v.body_html, v.teaser_html, v.body_allowed
    from ${from} where ${named(schoolId, ref)} and ${seenBy(viewer)}`)

/** Locks the post in a path until the transaction ends and returns its UUID; its values are read afterwards. */
export const lockPostRow = async (db: Db, schoolId: string, ref: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select p.id from posts p where ${named(schoolId, ref)} and p.deleted_at is null for no key update of p`)
  )?.id

/** What is stored of a post beside its version. */
type StoredPost = PostSettingValues & {
  readonly title: string
  readonly words: { readonly names: string; readonly all: string }
}

const putRelations = async (db: Db, schoolId: string, id: string, post: PostSettingValues): Promise<void> => {
  await Promise.all([
    putLinks(db, schoolId, postTags, id, post.tags),
    putLinks(db, schoolId, postCategoryLinks, id, post.category_ids),
  ])
}

/** Stores a new draft; its first version follows. */
export const insertPost = async (
  db: Db,
  schoolId: string,
  { id, authorId, ...post }: StoredPost & { readonly id: string; readonly authorId: string | undefined },
): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into posts (school_id, id, ${columnNames(storedColumns)}, title_folded, words_folded, body_words, author_id,
      status, version, listed_at, created_at, updated_at)
    values (${schoolId}, ${id}, ${buildValues(post, storedColumns)}, ${fold(post.title)}, ${post.words.names},
      ${post.words.all}, ${authorId ?? null}, 'draft', 1, date_trunc('milliseconds', (select now from clock)),
      (select now from clock), (select now from clock))`)
  await putRelations(db, schoolId, id, post)
}

/** Stores a changed post as its next revision, with the number of its version. */
export const storePost = async (
  db: Db,
  schoolId: string,
  { id, version, ...post }: StoredPost & { readonly id: string; readonly version: number },
): Promise<void> => {
  await putRelations(db, schoolId, id, post)
  await db.run(sql`
    update posts set ${buildAssignments(post, storedColumns)}, title_folded = ${fold(post.title)},
      words_folded = ${post.words.names}, body_words = ${post.words.all}, version = ${version}, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)
}
