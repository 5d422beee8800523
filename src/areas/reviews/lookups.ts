import type { HookPlace } from '#src/contract/hook.ts'
import { type BlockCard, type CardsBlock, plainCard } from '#src/contract/page-blocks.ts'
import { toId } from '#src/kit/ids.ts'
import { listShownReviews } from './queries.ts'

/** The reviews of a block of a page: published ones of courses that everybody finds in the list, the newest first. */
export const reviewCards = async (
  { db, school }: HookPlace,
  { course_id: courseId, limit }: Extract<CardsBlock, { readonly type: 'reviews' }>,
): Promise<BlockCard[]> => {
  const rows = await listShownReviews(db, school.id, { courseId: courseId ?? undefined, rows: limit })
  return rows.map(row => ({
    ...plainCard({ id: toId('rev', row.id), path: `/courses/${row.slug}`, name: row.member_name, about: row.body }),
    rating: { average: row.rating, count: 1 },
  }))
}
