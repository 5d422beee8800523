import { binnable } from '#src/areas/school/index.ts'
import { guardPassed } from '#src/contract/guard.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { reclaimNames } from '#src/db/slugs.ts'
import { postStatus } from '../status/queries.ts'
import { canChangePost, getChangeablePost } from './access.ts'
import { findDeletedPost, getDeletedPost, showPost } from './bin.queries.ts'
import { postSlugs } from './conditions.ts'
import { postExternalIdTaken } from './rules.ts'
import { Post, PostRef, PostRestoration } from './schema.ts'
import { postView } from './views.ts'

/** The operations on a post in the bin. */
export const postBin = binnable('post', {
  id: 'Post',
  called: ['a post', 'post'],
  who: 'lecturer_of',
  scope: 'posts:write',
  path: '/posts/:post_id',
  params: PostRef,
  returns: Post,
  body: PostRestoration,
  fails: [slugTaken, postExternalIdTaken],
  about:
    'It is published as it was; one whose planned publication is over by then is a draft, and a mailing that was due meanwhile is not sent. If another post has its slug by now, send another `slug`. Its author may restore a draft, staff every post.',
  example: { post_id: 'slug:bread-in-a-pot' },
  async isOpenTo({ db, school, caller }, id) {
    const row = await findDeletedPost(db, school.id, id)
    if (row === undefined || !canChangePost(caller, row)) return false
    guardPassed(db)
    return true
  },
  async restore({ db, school, now }, id, { body }) {
    const row = await getDeletedPost(db, school.id, id)
    const names = { slug: body.slug, externalIdTaken: postExternalIdTaken }
    await showPost(db, school.id, id, await reclaimNames(db, school.id, postSlugs, row, names))
    await postStatus.resume(db, school.id, id, now)
  },
  get: getChangeablePost,
  view: postView,
})
