import type { Static } from 'typebox'
import type { Fact } from '#src/contract/fact.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { isSameInstant } from '#src/kit/instant.ts'
import { getPost, lockPost } from '../post/access.ts'
import { postExamples } from '../post/operations.ts'
import type { PostRow } from '../post/queries.ts'
import { checkMove, type Status } from '../post/rules.ts'
import { Post, PostRef } from '../post/schema.ts'
import { postView } from '../post/views.ts'
import { PostPublication } from './schema.ts'
import { storePostStatus } from './writes.ts'

type Context = WriteContext & { readonly params: Static<typeof PostRef> }

type Move = { readonly to: Status; readonly publishAt?: Date; readonly fact: Omit<Fact, 'payload'> }

const staff = { scope: 'posts:write', who: 'staff', mode: 'write', ifMatch: 'honoured' } as const

const lockMatching = async (context: Context): Promise<PostRow> => {
  const row = await lockPost(context, context.params.post_id)
  await context.requireMatch(row.revision, () => postView(context, row))
  return row
}

// Moves a post that is locked to another status, with its audit entry and fact.
const move = async (context: Context, row: PostRow, { to, publishAt, fact }: Move): Promise<Static<typeof Post>> => {
  const { db, school, changed, record } = context
  const post = toId('pst', row.id)
  await storePostStatus(db, school.id, row.id, { status: to, publishAt })
  const stored = await getPost(context, row.id)
  changed({ ids: [post], fields: ['status'], revision: stored.revision })
  record({ ...fact, payload: { post, ...(publishAt === undefined ? {} : { at: publishAt }) } })
  return postView(context, stored)
}

const published: Move['fact'] = {
  type: 'post.published',
  effects: {
    access: {
      en: 'Makes the post public: everybody finds it, and reads it as far as its access says',
      pt: 'Torna o artigo público: todos o encontram e o leem até onde o seu acesso permite',
    },
  },
}

const schedule = (context: Context, row: PostRow, at: Date): Promise<Static<typeof Post>> => {
  if (at <= context.now) refuseInvalid([{ pointer: '/at', code: 'past', message: 'is over already' }])
  if (row.status === 'scheduled' && isSameInstant(row.publish_at, at)) return postView(context, row)
  if (row.status !== 'scheduled') checkMove(row.status, 'scheduled')
  return move(context, row, { to: 'scheduled', publishAt: at, fact: { type: 'post.scheduled' } })
}

const publishPost = operation({
  id: 'publishPost',
  route: 'PUT /posts/:post_id/publication',
  summary: 'Publish a post',
  description:
    'Publishes a post now, or at the instant in `at`. A scheduled post can be published now or rescheduled in the same way.',
  ...staff,
  params: PostRef,
  body: PostPublication,
  returns: Post,
  fails: [invalidState],
  example: { params: postExamples.draft, body: {} },
  async handle(context) {
    const { body } = context
    const row = await lockMatching(context)
    if (body.at !== undefined) return schedule(context, row, body.at)
    if (row.status === 'published') return postView(context, row)
    checkMove(row.status, 'published')
    return move(context, row, { to: 'published', fact: published })
  },
})

const unpublishPost = operation({
  id: 'unpublishPost',
  route: 'DELETE /posts/:post_id/publication',
  summary: 'Unpublish a post',
  description: 'Turns a published or scheduled post back into a draft, which its author and staff alone find.',
  ...staff,
  params: PostRef,
  returns: Post,
  fails: [invalidState],
  example: { params: postExamples.draft },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'draft') return postView(context, row)
    if (row.status === 'archived')
      throw new Refusal(invalidState, 'The post is archived; restore it from the archive first.')
    const type = row.status === 'scheduled' ? 'post.unscheduled' : 'post.unpublished'
    return move(context, row, { to: 'draft', fact: { type } })
  },
})

const archivePost = operation({
  id: 'archivePost',
  route: 'PUT /posts/:post_id/archive',
  summary: 'Archive a post',
  description: 'Archives a published post, which its author and staff alone find from now on.',
  ...staff,
  params: PostRef,
  returns: Post,
  fails: [invalidState],
  example: { params: postExamples.news },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'archived') return postView(context, row)
    checkMove(row.status, 'archived')
    return move(context, row, { to: 'archived', fact: { type: 'post.archived' } })
  },
})

const unarchivePost = operation({
  id: 'unarchivePost',
  route: 'DELETE /posts/:post_id/archive',
  summary: 'Unarchive a post',
  description: 'Turns an archived post back into a draft.',
  ...staff,
  params: PostRef,
  returns: Post,
  example: { params: postExamples.draft },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status !== 'archived') return postView(context, row)
    return move(context, row, { to: 'draft', fact: { type: 'post.unarchived' } })
  },
})

/** The operations that change the status of a post, in the order of the documentation. */
export const statusOperations = [publishPost, unpublishPost, archivePost, unarchivePost]
