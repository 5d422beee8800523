import { type Caller, isStaff } from '#src/contract/caller.ts'
import { changeRow } from '#src/contract/change.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { offeredBy } from '#src/contract/status.ts'
import { readList } from '#src/db/list.ts'
import { moveSlug } from '#src/db/slugs.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { cleanTags } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { renderedPost } from '../content/rules.ts'
import { postStatus } from '../status/queries.ts'
import { insertVersion, postVersions } from '../versions/queries.ts'
import {
  buildViewer,
  canChangePost,
  canManagePost,
  checkMayWrite,
  getChangeablePost,
  getPost,
  lockChangeablePost,
} from './access.ts'
import { postBin } from './bin.operations.ts'
import { binPost } from './bin.writes.ts'
import { postSlugs } from './conditions.ts'
import { type PostFilter, type PostRow, postList, storePost } from './queries.ts'
import { buildValues, isBody, isContent, mergedPost, type PostValues, postExternalIdTaken } from './rules.ts'
import { type ListPostsParams, NewPost, Post, PostChanges, PostPage, PostRef, PostsQuery } from './schema.ts'
import { changedView, postLines, postView } from './views.ts'
import { addPost, checkValues, storedPost, useBodyFiles } from './writes.ts'

/** Posts of the demo data, for examples: two that are published, a draft that staff publish, and one that its author changes. */
export const postExamples = {
  news: { post_id: 'slug:the-oven-is-mended' },
  starter: { post_id: 'slug:why-your-starter-sulks' },
  draft: { post_id: 'slug:a-winter-of-rye' },
  own: { post_id: 'slug:bread-in-a-pot' },
}

const readFilter = (caller: Caller, query: ListPostsParams): PostFilter => ({
  viewer: buildViewer(caller),
  q: query.q,
  status: query.status,
  access: query.access,
  categoryId: query.category_id,
  tag: query.tag === undefined ? undefined : (cleanTags([query.tag])[0] ?? ''),
  lecturerId: query.author_id,
  isFeatured: query.featured,
  isManaged: query.managed,
  ids: query['id[in]'],
  publishedFrom: query['published_at[gte]'],
  publishedBefore: query['published_at[lt]'],
})

const listPosts = declareFor('anyone', 'posts', {
  id: 'listPosts',
  route: 'GET /posts',
  summary: 'List posts',
  description:
    'Lists posts with their excerpts, the newest first. Everybody sees published posts, locked ones too; authors also their own, staff all of them. Without `sort` and with `sort=published_at`, a post that was never published has the place of its creation.',
  query: PostsQuery,
  returns: PostPage,
  handle(context) {
    const { school, caller, query } = context
    return readList(context, postList(school.id, readFilter(caller, query)), rows => postLines(context, rows))
  },
})

// The actions that status and role allow; dry_run reports what other rows forbid.
const listActions = (caller: Caller, row: PostRow): string[] => {
  if (!canManagePost(caller, row)) return ['getPost']
  const { status } = row
  const manages = ['getPost', 'listPostVersions', 'copyPost']
  const changes = canChangePost(caller, row) ? ['updatePost', 'restorePostVersion', 'deletePost'] : []
  if (!isStaff(caller)) return [...manages, ...changes]
  return [
    ...manages,
    ...changes,
    ...offeredBy(postStatus, status),
    ...(status === 'published' && row.mailed_at === null ? ['mailPost'] : []),
  ]
}

const getOnePost = declareFor('anyone', 'posts', {
  id: 'getPost',
  route: 'GET /posts/:post_id',
  summary: 'Get a post',
  description:
    'Returns one post. Who may read it gets `body_html`; others get the excerpt, `teaser_html` if the post has a fold, and in `reader_access` what opens it. Drafts are for their author and for staff. An earlier slug still works; the response has the current one.',
  params: PostRef,
  returns: Post,
  example: { params: postExamples.starter },
  async handle(context) {
    const { caller, params, allowedActions, countView } = context
    const row = await getPost(context, params.post_id)
    if (row.is_open && !canManagePost(caller, row)) countView({ type: 'post', id: row.id })
    const view = await postView(context, row)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(listActions(caller, row)) }
  },
})

const createPost = declareFor('lecturer_of', 'posts', {
  id: 'createPost',
  route: 'POST /posts',
  summary: 'Create a post',
  description: 'Creates a post as a draft, written by the caller. Without a slug it gets one from its title.',
  body: NewPost,
  returns: Post,
  status: 201,
  fails: [slugTaken, postExternalIdTaken],
  example: {
    body: {
      title: 'Salt, and when',
      body: 'Late, and less than you think.\n\n<!--more-->\n\nHere is why.',
      tags: ['salt'],
    },
  },
  async handle(context) {
    const { caller, body, changed, record } = context
    checkMayWrite(context)
    const { body: text = '', body_format: format = 'markdown' } = body
    const rendered = renderedPost({ body: text, body_format: format })
    const rowId = await addPost(context, { input: body, body: rendered, authorId: caller.member.id })
    const row = await getPost(context, rowId)
    const post = toId('pst', rowId)
    changed({ ids: [post], fields: Object.keys(body), revision: row.revision })
    record({ type: 'post.created', payload: { post_id: post } })
    return changedView(context, row)
  },
})

const updatePost = declareFor('lecturer_of', 'posts', {
  id: 'updatePost',
  route: 'PATCH /posts/:post_id',
  summary: 'Update a post',
  description:
    'Changes the fields of a post that the request names. A change of title, subtitle, excerpt or body makes a new version; of a published post it shows at once. Its author may change a draft, staff every post. An earlier slug keeps leading to the post. The status is changed under `publication` and `archive`.',
  ifMatch: 'honoured',
  params: PostRef,
  body: PostChanges,
  returns: Post,
  fails: [slugTaken, postExternalIdTaken],
  example: { params: postExamples.own, body: { subtitle: 'With a lid' } },
  async handle(context) {
    const { db, school, caller, now, params, body } = context
    // Rendering takes time, so it happens before the post is locked.
    const seen = buildValues(await getChangeablePost(context, params.post_id))
    const isText = body.body !== undefined || body.body_format !== undefined
    const ready = isText ? renderedPost(mergedPost(seen, body)) : undefined
    const row = await lockChangeablePost(context, params.post_id)
    return changeRow(context, row, {
      id: toId('pst', row.id),
      fact: 'post.updated',
      values: (): PostValues => mergedPost(buildValues(row), body),
      check: values => checkValues(context, values, row),
      store: async (values, fields) => {
        const isSame = ready?.body === values.body && ready.body_format === values.body_format
        const text = isBody(fields) ? (isSame ? ready : renderedPost(values)) : row
        const version = isContent(fields) ? row.version + 1 : row.version
        if (version > row.version) {
          const before = (await postVersions.find(db, school.id, row.id, String(row.version)))?.files ?? []
          const files = isBody(fields) ? await useBodyFiles(context, text, before) : before
          const { title, subtitle, excerpt } = values
          const made = { id: newUuid(now.getTime()), postId: row.id, number: version, authorId: caller.member.id }
          await insertVersion(db, school.id, { ...text, title, subtitle, excerpt, ...made, files })
        }
        await storePost(db, school.id, { ...storedPost(values, text), id: row.id, version })
        if (fields.includes('slug'))
          await moveSlug(db, school.id, postSlugs, row.id, { from: row.slug, to: values.slug })
        return getPost(context, row.id)
      },
      view: stored => changedView(context, stored),
    })
  },
})

const deletePost = declareFor('lecturer_of', 'posts', {
  id: 'deletePost',
  route: 'DELETE /posts/:post_id',
  summary: 'Delete a post',
  description:
    'Deletes a post. For 30 days it is in the bin, from which it can be restored with everything that belonged to it; then its files are deleted too. Mails that were sent stay sent. Its author may delete a draft, staff every post.',
  ifMatch: 'honoured',
  params: PostRef,
  returns: undefined,
  example: { params: { post_id: exampleFrom('pst', 'listPosts', { having: { title: 'Notes for spring' } }) } },
  async handle(context) {
    const { params, requireMatch, changed, record } = context
    const row = await lockChangeablePost(context, params.post_id)
    await requireMatch(row.revision, () => postView(context, row))
    await binPost(context, row, context.caller.member.id)
    const post = toId('pst', row.id)
    changed({ ids: [post], fields: [] })
    record({ type: 'post.deleted', payload: { post_id: post }, effects: texts.publishing.posts.deletion })
  },
})

/** The operations of posts, in the order of the documentation. */
export const postOperations = [listPosts, getOnePost, createPost, updatePost]

/** The deletion of a post and what can be done then, which the documentation has last. */
export const postDeletions = [deletePost, postBin.restore, postBin.purge]
