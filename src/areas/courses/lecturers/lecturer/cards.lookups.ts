import { anonymous } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type BlockCard, type CardsBlock, inOrder, mostShown, plainCard } from '#src/contract/page-blocks.ts'
import { listStatement } from '#src/db/list.ts'
import { stripMarkdown } from '#src/kit/body/plain.ts'
import { toId } from '#src/kit/ids.ts'
import { lecturerList } from './queries.ts'
import { lecturerViews } from './views.ts'

/** The lecturers of a block of a page, as everybody finds them in the list. */
export const lecturerCards = async (
  { db, school, keyFor }: SchoolContext & Pick<ReadContext, 'keyFor'>,
  block: Extract<CardsBlock, { readonly type: 'lecturers' }>,
): Promise<BlockCard[]> => {
  const viewer = { memberId: undefined, isStaff: false }
  const list = lecturerList(school.id, { viewer, ids: block.ids ?? undefined })
  const rows = await db.all(listStatement(list, 'position', { rows: mostShown(block) }))
  const views = await lecturerViews({ db, school, caller: anonymous, keyFor }, inOrder(block.ids, rows))
  return views.map(({ id, slug, display_name: name, bio, avatar }) => ({
    ...plainCard({ id: toId('lec', id), path: `/lecturers/${slug}`, name, about: stripMarkdown(bio) }),
    image: avatar,
  }))
}
