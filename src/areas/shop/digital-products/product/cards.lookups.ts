import { anonymous } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type BlockCard, type CardsBlock, inOrder, mostShown, plainCard } from '#src/contract/page-blocks.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { productList } from './queries.ts'
import { productViews } from './views.ts'

/** The products of a block of a page, as everybody finds them in the list. */
export const productCards = async (
  { db, school, keyFor }: SchoolContext & Pick<ReadContext, 'keyFor'>,
  block: Extract<CardsBlock, { readonly type: 'courses' | 'products' }>,
): Promise<BlockCard[]> => {
  const { category_id: categoryId, tag, ids } = block
  const filter = {
    isPublic: true,
    categoryId: categoryId ?? undefined,
    tag: tag ?? undefined,
    ids: ids ?? undefined,
  }
  const rows = await db.all(listStatement(productList(school.id, filter), '-created_at', { rows: mostShown(block) }))
  const views = await productViews({ db, school, caller: anonymous, keyFor }, inOrder(ids, rows))
  return views.map(({ id, slug, name, subtitle, image, primary_price }) => ({
    ...plainCard({ id: toId('dpr', id), path: `/products/${slug}`, name, about: subtitle }),
    image,
    price: primary_price,
  }))
}
