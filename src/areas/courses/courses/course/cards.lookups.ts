import { anonymous } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type BlockCard, type CardsBlock, inOrder, mostShown } from '#src/contract/page-blocks.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { buildViewer } from './access.ts'
import { courseList } from './queries.ts'
import { courseViews } from './views.ts'

/** The courses of a block of a page, as everybody finds them in the list. */
export const courseCards = async (
  { db, school, keyFor }: SchoolContext & Pick<ReadContext, 'keyFor'>,
  block: Extract<CardsBlock, { readonly type: 'courses' | 'products' }>,
): Promise<BlockCard[]> => {
  const { category_id: categoryId, tag, ids } = block
  const filter = {
    viewer: buildViewer(anonymous),
    categoryId: categoryId ?? undefined,
    tag: tag ?? undefined,
    ids: ids ?? undefined,
  }
  const rows = await db.all(listStatement(courseList(school.id, filter), '-created_at', { rows: mostShown(block) }))
  const views = await courseViews({ db, school, caller: anonymous, keyFor }, inOrder(ids, rows))
  return views.map(course => ({
    id: toId('crs', course.id),
    path: `/courses/${course.slug}`,
    name: course.name,
    about: course.subtitle,
    image: course.image,
    rating: course.rating_average === null ? null : { average: course.rating_average, count: course.rating_count },
    price: course.primary_price,
    isSoldOut: course.sold_out,
    date: null,
  }))
}
