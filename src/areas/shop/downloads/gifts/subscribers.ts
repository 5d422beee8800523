import { findMember } from '#src/areas/people/index.ts'
import { shareProduct } from '#src/areas/shop/digital-products/index.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { productMails } from '../mails.ts'

/** Mails the person who was given a product, unless the gift says not to. */
export const onGiftGiven: FactHandler<'gift.created'> = async ({ payload }, { db, school, now }) => {
  const memberId = fromId('mem', payload.member_id)
  const productId = fromId('dpr', payload.product_id)
  if (payload.notify !== true || memberId === undefined || productId === undefined) return
  const [product, member] = await Promise.all([
    shareProduct(db, school.id, productId),
    findMember(db, school.id, memberId),
  ])
  if (product === undefined || member === undefined || member.status === 'deleted') return
  await recordMail(db, school.id, memberId, { kind: productMails.product_given, values: { product } }, now)
}
