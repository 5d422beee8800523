import { anonymous } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type BlockCard, type CardsBlock, inOrder, mostShown, plainCard } from '#src/contract/page-blocks.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { buildViewer } from './access.ts'
import { eventList } from './queries.ts'
import { eventLines } from './views.ts'

/** The events of a block of a page, as everybody finds them in the list: those that come next, or those that it names. */
export const eventCards = async (
  { db, school, keyFor }: SchoolContext & Pick<ReadContext, 'keyFor'>,
  block: Extract<CardsBlock, { readonly type: 'events' }>,
): Promise<BlockCard[]> => {
  const { ids } = block
  const filter = {
    viewer: buildViewer(anonymous),
    status: 'published',
    ids: ids ?? undefined,
    isEnded: ids === null ? false : undefined,
  } as const
  const rows = await db.all(listStatement(eventList(school.id, filter), 'starts_at', { rows: mostShown(block) }))
  const views = await eventLines({ db, school, caller: anonymous, keyFor }, inOrder(ids, rows))
  return views.map(event => ({
    ...plainCard({
      id: toId('evt', event.id),
      path: `/events/${event.slug}`,
      name: event.name,
      about: '',
    }),
    image: event.image,
    date: event.next_occurrence,
    isSoldOut: event.next_occurrence?.seats_left === 0,
  }))
}
