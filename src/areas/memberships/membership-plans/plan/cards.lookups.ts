import { anonymous } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type BlockCard, type CardsBlock, inOrder, mostShown, plainCard } from '#src/contract/page-blocks.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { planList } from './queries.ts'
import { planViews } from './views.ts'

/** The plans of a block of a page, as everybody finds them in the list: in the order of the school, unless it names them. */
export const planCards = async (
  { db, school, keyFor }: SchoolContext & Pick<ReadContext, 'keyFor'>,
  block: Extract<CardsBlock, { readonly type: 'plans' }>,
): Promise<BlockCard[]> => {
  const list = planList(school.id, { isPublic: true, ids: block.ids ?? undefined })
  const rows = await db.all(listStatement(list, 'position', { rows: mostShown(block) }))
  const views = await planViews({ db, school, caller: anonymous, keyFor }, inOrder(block.ids, rows))
  return views.map(({ id, slug, name, benefits, image, primary_price }) => ({
    ...plainCard({ id: toId('mpl', id), path: `/plans/${slug}`, name, about: benefits.join(' · ') }),
    image,
    price: primary_price,
  }))
}
