import { anonymous } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type BlockCard, type CardsBlock, inOrder, mostShown, plainCard } from '#src/contract/page-blocks.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { buildViewer } from './access.ts'
import { postList } from './queries.ts'
import { postLines } from './views.ts'

/** The posts of a block of a page, as everybody finds them in the list. */
export const postCards = async (
  { db, school, keyFor }: SchoolContext & Pick<ReadContext, 'keyFor'>,
  block: Extract<CardsBlock, { readonly type: 'posts' }>,
): Promise<BlockCard[]> => {
  const { category_id: categoryId, tag, ids } = block
  const filter = {
    viewer: buildViewer(anonymous),
    categoryId: categoryId ?? undefined,
    tag: tag ?? undefined,
    ids: ids ?? undefined,
  }
  const rows = await db.all(listStatement(postList(school.id, filter), '-published_at', { rows: mostShown(block) }))
  const views = await postLines({ db, school, caller: anonymous, keyFor }, inOrder(ids, rows))
  return views.map(post => ({
    ...plainCard({ id: toId('pst', post.id), path: `/blog/${post.slug}`, name: post.title, about: post.excerpt }),
    image: post.cover,
  }))
}
