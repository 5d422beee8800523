import { Post, PostCategoryPage } from '#src/areas/publishing/index.ts'
import { redirect } from '#src/web/page/index.ts'
import { postMain, viewedPost } from '#src/web/site/index.ts'
import { commentsOn } from './comments.ts'
import { framed } from './frame.ts'
import { type Answer, read } from './visit.ts'

/** GET /account/posts/:slug: a post as the person who is signed in may read it; it is never stored. */
export const showPost: Answer = async (visit, parts) => {
  const slug = visit.request.params.slug ?? ''
  const post = await read(visit, parts, { operation: 'getPost', params: { post_id: `slug:${slug}` }, returns: Post })
  if (post.slug !== slug) return redirect(`/account/posts/${post.slug}`)
  const { data: categories } = await read(visit, parts, {
    operation: 'listPostCategories',
    query: [['limit', '100']],
    returns: PostCategoryPage,
  })
  const { timeZone } = visit
  const comments = post.reader_access.state === 'open' && (await commentsOn(visit, parts, post.id))
  const reply = framed(visit, {
    title: post.title,
    main: postMain({ page: visit, timeZone, post, categories, comments, isSignedIn: true }),
  })
  // Who writes it is no reader.
  const isReader = post.reader_access.state === 'open' && post.allowed_actions?.includes('listPostVersions') !== true
  return isReader ? { ...reply, viewed: viewedPost(post) } : reply
}
