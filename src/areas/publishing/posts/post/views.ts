import type { Static } from 'typebox'
import { fileViews } from '#src/areas/files/index.ts'
import { readNames } from '#src/areas/people/index.ts'
import { warningsOfTexts } from '#src/contract/body.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { commentCounts } from '#src/contract/subject.ts'
import { withAddresses, withSiteLinks } from '#src/kit/body/shown.ts'
import { fromId } from '#src/kit/ids.ts'
import { buildExcerpt, listFiles, shownPost } from '../content/rules.ts'
import { canManagePost } from './access.ts'
import type { PostLine, PostRow } from './queries.ts'
import type { Post } from './schema.ts'

/** The context for the views of posts with their files. */
type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

type PostView = Static<typeof Post>

const settingsView = (row: PostLine) => ({
  id: row.id,
  title: row.title,
  slug: row.slug,
  subtitle: row.subtitle,
  excerpt: buildExcerpt(row),
  has_own_excerpt: row.excerpt !== '',
  cover_file_id: row.cover_file_id,
  access: row.access,
  plan_ids: [...row.plan_ids],
  category_ids: [...row.category_ids],
  tags: [...row.tags],
  featured: row.featured,
  seo: { title: row.seo_title, description: row.seo_description },
  canonical_url: row.canonical_url,
  comments: row.comments,
})

const stateView = (row: PostLine) => ({
  author: row.author && { ...row.author },
  reading_minutes: row.reading_minutes,
  status: row.status,
  published_at: row.published_at,
  version: row.version,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const accessView = (row: PostLine, caller: Caller): PostView['reader_access'] =>
  row.is_open
    ? { state: 'open', opens_with: [], sign_in: false }
    : { state: 'locked', opens_with: [...row.plan_ids], sign_in: caller.member === undefined }

// Who wrote it, the external id and what is planned are for those who manage the post.
const managedView = (row: PostLine, names: ReadonlyMap<string, string>) => ({
  written_by: row.author_id === null ? null : { id: row.author_id, name: names.get(row.author_id) ?? '' },
  external_id: row.external_id,
  publish_at: row.publish_at,
  mailed_at: row.mailed_at,
})

const readCounts = async ({ db, school }: Showing, ids: readonly string[]) => {
  const counts = await commentCounts.call({ type: 'post', ids }, { school, db })
  return (id: string): number => counts.reduce((sum, one) => sum + (one.get(id) ?? 0), 0)
}

/** Posts of a list for a caller, without their bodies. */
export const postLines = async (context: Showing, rows: readonly PostLine[]): Promise<PostView[]> => {
  const { db, school, caller } = context
  const managed = rows.filter(row => canManagePost(caller, row))
  const covers = rows.flatMap(row => (row.cover_file_id === null ? [] : [row.cover_file_id]))
  const authors = managed.flatMap(row => (row.author_id === null ? [] : [row.author_id]))
  const [counts, files, names] = await Promise.all([
    readCounts(
      context,
      rows.map(({ id }) => id),
    ),
    fileViews(context, covers),
    authors.length === 0 ? new Map<string, string>() : readNames(db, school.id, authors),
  ])
  return rows.map(row => ({
    ...settingsView(row),
    ...stateView(row),
    cover: (row.cover_file_id === null ? undefined : files.get(row.cover_file_id)) ?? null,
    url: `${school.siteOrigin}/blog/${row.slug}`,
    reader_access: accessView(row, caller),
    // Who may not read a post does not read its comments either.
    comment_count: row.comments === 'off' || !row.is_open ? 0 : counts(row.id),
    ...(managed.includes(row) ? managedView(row, names) : {}),
  }))
}

/** Sanitized HTML with addresses: those of the files that it names, and absolute ones of the site. */
export const htmlWithFiles = async (context: Showing, html: string): Promise<string> => {
  const ids = listFiles({ body_html: html }).flatMap(id => fromId('fil', id) ?? [])
  const files = await fileViews(context, ids)
  const whole = withAddresses(html, id => files.get(fromId('fil', id) ?? '')?.url)
  return withSiteLinks(whole, context.school.siteOrigin)
}

type BodyView = Pick<PostView, 'body' | 'body_format' | 'body_html' | 'teaser_html'>

const bodyView = async (context: Showing, row: PostRow): Promise<BodyView> => {
  const shown = shownPost(row)
  if (!row.is_open) return shown.teaser === null ? {} : { teaser_html: await htmlWithFiles(context, shown.teaser) }
  const html = { body_html: await htmlWithFiles(context, shown.body) }
  // The source can contain comments that the sanitized body has not.
  return canManagePost(context.caller, row) ? { ...html, body: row.body, body_format: row.body_format } : html
}

/** A post for a caller: with its body for those who may read it, or else with what is before its fold. */
export const postView = async (context: Showing, row: PostRow): Promise<PostView> => {
  const [line] = await postLines(context, [row])
  if (line === undefined) throw new Error('a row has a view')
  return { ...line, ...(await bodyView(context, row)) }
}

/** A post after a write, with the warnings about its text. */
export const changedView = async (context: Showing, row: PostRow): Promise<PostView> => ({
  ...(await postView(context, row)),
  warnings: warningsOfTexts('post', [row]),
})
