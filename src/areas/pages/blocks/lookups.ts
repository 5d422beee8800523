import type { Static } from 'typebox'
import { fileViews } from '#src/areas/storage/index.ts'
import { anonymous } from '#src/contract/caller.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import { offerOf } from '#src/contract/offer.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type BlockCard, blockOf } from '#src/contract/page-blocks.ts'
import { toId } from '#src/kit/ids.ts'
import type { PageCards } from './cards.schema.ts'
import { now } from './queries.ts'
import { type Block, type BlockOf, isCardsBlock } from './rules.ts'

// What nobody can buy is not shown.
const offerCards = async ({ price_id: priceId }: BlockOf<'checkout'>, place: HookPlace): Promise<BlockCard[]> => {
  const at = await now(place.db)
  const offers = await offerOf.call({ priceId, memberId: undefined, at }, place)
  return offers.flatMap(offer => {
    if (offer === undefined || 'unavailable' in offer) return []
    const id = toId('prc', priceId)
    const { name, payment } = offer
    const path = `/checkout?price=${id}`
    return [{ id, path, name, about: '', imageFileId: null, rating: null, price: payment, isSoldOut: false }]
  })
}

const cardsOf = async (block: Block, place: HookPlace): Promise<readonly BlockCard[] | undefined> => {
  if (block.type === 'checkout') return offerCards(block, place)
  if (!isCardsBlock(block)) return undefined
  return (await blockOf.call(block, place)).find(cards => cards !== undefined) ?? []
}

/** What the blocks of a page show of the school: the same for everybody, whoever asks. */
export const pageCards = async (
  { db, school, keyFor }: HookPlace & Pick<ReadContext, 'keyFor'>,
  blocks: readonly Block[],
): Promise<Static<typeof PageCards>> => {
  const found: { readonly block: number; readonly cards: readonly BlockCard[] }[] = []
  for (const [block, one] of blocks.entries()) {
    const cards = await cardsOf(one, { db, school })
    if (cards !== undefined) found.push({ block, cards })
  }
  const fileIds = found.flatMap(({ cards }) => cards.flatMap(({ imageFileId: id }) => id ?? []))
  const files = await fileViews({ db, school, caller: anonymous, keyFor }, fileIds)
  return found.map(({ block, cards }) => ({
    block,
    cards: cards.map(({ imageFileId, isSoldOut, price, rating, ...card }) => ({
      ...card,
      image: (imageFileId === null ? undefined : files.get(imageFileId)) ?? null,
      rating: rating === null ? null : { ...rating },
      price:
        price === null
          ? null
          : {
              payment_type: price.payment_type,
              amount: price.amount,
              currency: price.currency,
              interval: price.interval,
              interval_count: price.interval_count,
            },
      sold_out: isSoldOut,
    })),
  }))
}
