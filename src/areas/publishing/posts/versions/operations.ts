import Type from 'typebox'
import { filesById } from '#src/areas/files/index.ts'
import { versioned } from '#src/contract/versioned.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { Instant, Nullable, Person } from '#src/kit/shapes.ts'
import { shownPost } from '../content/rules.ts'
import { getOwnPost, getPost, lockChangeablePost } from '../post/access.ts'
import { postExamples } from '../post/operations.ts'
import { type PostRow, storePost } from '../post/queries.ts'
import { buildValues, mergedPost } from '../post/rules.ts'
import { Post, PostRef, PostSettings } from '../post/schema.ts'
import { htmlWithFiles, postView } from '../post/views.ts'
import { storedPost, useBodyFiles } from '../post/writes.ts'
import { insertVersion, postVersions } from './queries.ts'

/** The operations of the versions of a post, and the shape of a page of them. */
export const { operations: versionOperations, page: PostVersionPage } = versioned(postVersions, {
  id: 'Post',
  path: '/posts/:post_id',
  params: PostRef,
  who: 'lecturer_of',
  scope: 'posts:read',
  line: {
    number: Type.Integer({ minimum: 1 }),
    title: Post.properties.title,
    is_current: Type.Boolean({ description: 'Whether the post says this now' }),
    restores: Nullable(Type.Integer({ description: 'The number of the version of which it is a copy' })),
    author: Nullable(Person),
    created_at: Instant,
  },
  content: {
    subtitle: Post.properties.subtitle,
    excerpt: PostSettings.properties.excerpt,
    body: PostSettings.properties.body,
    body_format: PostSettings.properties.body_format,
    body_html: Type.String({ description: 'The sanitized body; safe to display' }),
  },
  page: 'PostVersionPage',
  get: getOwnPost,
  renderShown: async (context, version) => ({ body_html: await htmlWithFiles(context, shownPost(version).body) }),
  list: {
    summary: 'List versions of a post',
    description: 'Lists who changed what a post says and when, the newest first; the last hundred versions are kept.',
    example: { params: postExamples.starter },
  },
  read: {
    summary: 'Get a version of a post',
    description: 'Returns what a post said after one of its changes.',
    example: { params: { ...postExamples.starter, number: '1' } },
  },
  restore: {
    method: 'PUT',
    summary: 'Restore a version of a post',
    description:
      'Makes what a version says the newest version of the post. Settings such as slug and access are not changed. Files that were deleted since are missing.',
    scope: 'posts:write',
    returns: Post,
    example: { params: { ...postExamples.own, number: '1' } },
    fact: 'post.updated',
    ids: (row: PostRow) => ({ post_id: toId('pst', row.id) }),
    lock: lockChangeablePost,
    view: postView,
    async compare(context, row, version) {
      const { db, school, caller, now } = context
      const before = buildValues(row)
      const { title, subtitle, excerpt, body, body_format } = version
      const values = mergedPost(before, { title, subtitle, excerpt, body, body_format })
      return {
        fields: changedFields(before, values),
        async store() {
          // A superseded version does not keep its files, so some may be gone.
          const there = await filesById(db, school.id, version.files)
          const gone = version.files.filter(id => !there.has(id))
          const current = (await postVersions.find(db, school.id, row.id, String(row.version)))?.files ?? []
          const used = await useBodyFiles(context, version, [...gone, ...current])
          const number = row.version + 1
          const made = { id: newUuid(now.getTime()), postId: row.id, number, authorId: caller.member.id }
          const files = used.filter(id => !gone.includes(id))
          await insertVersion(db, school.id, { ...version, ...made, files, restores: version.number })
          await storePost(db, school.id, { ...storedPost(values, version), id: row.id, version: number })
          return getPost(context, row.id)
        },
      }
    },
  },
})
