import type { Static } from 'typebox'
import { filesById } from '#src/areas/files/index.ts'
import { namesOf } from '#src/areas/people/index.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { shownPost } from '../content/rules.ts'
import { getOwnPost, getPost, lockChangeablePost } from '../post/access.ts'
import { postExamples } from '../post/operations.ts'
import { type PostRow, storePost } from '../post/queries.ts'
import { mergedPost, valuesOf } from '../post/rules.ts'
import { Post, PostRef } from '../post/schema.ts'
import { htmlWithFiles, postView } from '../post/views.ts'
import { storedPost, useBodyFiles } from '../post/writes.ts'
import { findVersion, insertVersion, type VersionLine, type VersionRow, versionList } from './queries.ts'
import { PostVersion, PostVersionPage, PostVersionRef, VersionsQuery } from './schema.ts'

const lineOf = (row: VersionLine, names: ReadonlyMap<string, string>) => ({
  number: row.number,
  title: row.title,
  is_current: row.is_current,
  restores: row.restores,
  author: row.author_id === null ? null : { id: row.author_id, name: names.get(row.author_id) ?? '' },
  created_at: row.created_at,
})

const linesOf = async ({ db, school }: AsCaller, rows: readonly VersionLine[]) => {
  const names = await namesOf(
    db,
    school.id,
    rows.flatMap(row => row.author_id ?? []),
  )
  return rows.map(row => lineOf(row, names))
}

const getVersion = async ({ db, school }: AsCaller, post: PostRow, number: string): Promise<VersionRow> => {
  const version = await findVersion(db, school.id, post.id, Number(number))
  if (version === undefined) throw new Refusal(notFound, 'There is no such version.')
  return version
}

const listPostVersions = operation({
  id: 'listPostVersions',
  route: 'GET /posts/:post_id/versions',
  summary: 'List versions of a post',
  description: 'Lists who changed what a post says and when, the newest first; the last hundred versions are kept.',
  scope: 'posts:read',
  who: 'lecturer_of',
  mode: 'read',
  params: PostRef,
  query: VersionsQuery,
  returns: PostVersionPage,
  example: { params: postExamples.starter },
  async handle(context) {
    const post = await getOwnPost(context, context.params.post_id)
    return readList(context, versionList(context.school.id, post.id), rows => linesOf(context, rows))
  },
})

const getPostVersion = operation({
  id: 'getPostVersion',
  route: 'GET /posts/:post_id/versions/:number',
  summary: 'Get a version of a post',
  description: 'Returns what a post said after one of its changes.',
  scope: 'posts:read',
  who: 'lecturer_of',
  mode: 'read',
  params: PostVersionRef,
  returns: PostVersion,
  example: { params: { ...postExamples.starter, number: '1' } },
  async handle(context): Promise<Static<typeof PostVersion>> {
    const post = await getOwnPost(context, context.params.post_id)
    const version = await getVersion(context, post, context.params.number)
    const [line] = await linesOf(context, [version])
    if (line === undefined) throw new Error('a version has a line')
    return {
      ...line,
      subtitle: version.subtitle,
      excerpt: version.excerpt,
      body: version.body,
      body_format: version.body_format,
      body_html: await htmlWithFiles(context, shownPost(version).body),
    }
  },
})

const restorePostVersion = operation({
  id: 'restorePostVersion',
  route: 'PUT /posts/:post_id/versions/:number/restoration',
  summary: 'Restore a version of a post',
  description:
    'Makes what a version says the newest version of the post. Settings such as slug and access are not changed. Files that were deleted since are missing.',
  scope: 'posts:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: PostVersionRef,
  returns: Post,
  example: { params: { ...postExamples.own, number: '1' } },
  async handle(context) {
    const { db, school, caller, now, params, requireMatch, changed, record } = context
    const row = await lockChangeablePost(context, params.post_id)
    await requireMatch(row.revision, () => postView(context, row))
    const version = await getVersion(context, row, params.number)
    const { title, subtitle, excerpt, body, body_format } = version
    const before = valuesOf(row)
    const values = mergedPost(before, { title, subtitle, excerpt, body, body_format })
    const fields = changedFields(before, values)
    if (fields.length === 0) return postView(context, row)
    // A superseded version does not keep its files, so some may be gone.
    const there = await filesById(db, school.id, version.files)
    const gone = version.files.filter(id => !there.has(id))
    const current = (await findVersion(db, school.id, row.id, row.version))?.files ?? []
    const used = await useBodyFiles(context, version, [...gone, ...current])
    const number = row.version + 1
    const made = { id: newUuid(now.getTime()), postId: row.id, number, authorId: caller.member.id }
    const files = used.filter(id => !gone.includes(id))
    await insertVersion(db, school.id, { ...version, ...made, files, restores: version.number })
    await storePost(db, school.id, { ...storedPost(values, version), id: row.id, version: number })
    const stored = await getPost(context, row.id)
    const post = toId('pst', row.id)
    changed({ ids: [post], fields, revision: stored.revision })
    record({ type: 'post.updated', payload: { post, fields, restores: version.number } })
    return postView(context, stored)
  },
})

/** The operations of versions, in the order of the documentation. */
export const versionOperations = [listPostVersions, getPostVersion, restorePostVersion]
