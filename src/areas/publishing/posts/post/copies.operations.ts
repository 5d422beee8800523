import { declareFor } from '#src/contract/operation.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { getPost, lockOwnPost } from './access.ts'
import { postExamples } from './operations.ts'
import { buildValues } from './rules.ts'
import { Post, PostCopy, PostRef } from './schema.ts'
import { postView } from './views.ts'
import { addPost } from './writes.ts'

const copyPost = declareFor('lecturer_of', 'posts', {
  id: 'copyPost',
  route: 'POST /posts/:post_id/copies',
  summary: 'Copy a post as a draft',
  description:
    'Creates a draft, written by the caller, with the settings and the text of a post. Slug, external_id and address of the first publication are not copied.',
  params: PostRef,
  body: PostCopy,
  returns: Post,
  status: 201,
  fails: [slugTaken],
  example: { params: postExamples.starter, body: { title: 'Why your starter sulks, again' } },
  async handle(context) {
    const { caller, params, body, changed, record } = context
    const row = await lockOwnPost(context, params.post_id)
    const {
      slug: _slug,
      external_id: _id,
      canonical_url: _url,
      seo_title,
      seo_description,
      ...values
    } = buildValues(row)
    const input = {
      ...values,
      plan_ids: [...values.plan_ids],
      category_ids: [...values.category_ids],
      tags: [...values.tags],
      seo: { title: seo_title, description: seo_description },
      title: body.title ?? row.title,
      ...(body.slug === undefined ? {} : { slug: body.slug }),
    }
    const copyId = await addPost(context, { input, body: row, authorId: caller.member.id })
    const stored = await getPost(context, copyId)
    const ids = { post_id: toId('pst', copyId), copied_from_id: toId('pst', row.id) }
    changed({ ids: [ids.post_id], fields: Object.keys(input), revision: stored.revision })
    record({ type: 'post.created', payload: ids })
    return postView(context, stored)
  },
})

/** Copies of posts. */
export const copyOperations = [copyPost]
