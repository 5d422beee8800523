import type { Static } from 'typebox'
import type { SchoolContext } from '#src/contract/context.ts'
import { offerOf } from '#src/contract/offer.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type BlockCard, blockOf, plainCard } from '#src/contract/page-blocks.ts'
import { toId } from '#src/kit/ids.ts'
import type { PageCards } from './cards.schema.ts'
import { readInstant } from './queries.ts'
import { type Block, type BlockOf, isCardsBlock } from './rules.ts'

type Place = SchoolContext & Pick<ReadContext, 'keyFor'>

type CardsOfBlock = Static<typeof PageCards>[number]

// What nobody can buy is not shown.
const offerCards = async ({ price_id: priceId }: BlockOf<'checkout'>, context: Place): Promise<BlockCard[]> => {
  const at = await readInstant(context.db)
  const offers = await offerOf.call({ priceId, memberId: undefined, at }, context)
  return offers.flatMap(offer => {
    if (offer === undefined || 'unavailable' in offer) return []
    const id = toId('prc', priceId)
    const { name, payment: price } = offer
    return [{ ...plainCard({ id, path: `/checkout?price=${id}`, name, about: '' }), price }]
  })
}

const findCards = async (block: Block, context: Place): Promise<readonly BlockCard[] | undefined> => {
  if (block.type === 'checkout') return offerCards(block, context)
  if (!isCardsBlock(block)) return undefined
  const found = await blockOf.call({ block, keyFor: context.keyFor }, context)
  return found.find(cards => cards !== undefined) ?? []
}

const renderPrice = ({ price }: BlockCard): CardsOfBlock['cards'][number]['price'] =>
  price && {
    payment_type: price.payment_type,
    amount: price.amount,
    currency: price.currency,
    interval: price.interval,
    interval_count: price.interval_count,
  }

/** What the blocks of a page show of the school: the same for everybody, whoever asks. */
export const pageCards = async (context: Place, blocks: readonly Block[]): Promise<CardsOfBlock[]> => {
  const found: CardsOfBlock[] = []
  for (const [block, one] of blocks.entries()) {
    const cards = await findCards(one, context)
    if (cards === undefined) continue
    found.push({
      block,
      cards: cards.map(card => ({
        id: card.id,
        path: card.path,
        name: card.name,
        about: card.about,
        image: card.image,
        rating: card.rating === null ? null : { ...card.rating },
        price: renderPrice(card),
        sold_out: card.isSoldOut,
        date: card.date === null ? null : { starts_at: card.date.starts_at, ends_at: card.date.ends_at },
      })),
    })
  }
  return found
}
