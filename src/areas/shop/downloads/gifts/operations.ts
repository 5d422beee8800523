import {
  accessView,
  entitleAll,
  errorsOfSpan,
  faulty,
  findOrAddMember,
  nameOfPair,
  readAccess,
  readAccesses,
  revoke,
  unknown,
} from '#src/areas/learning/index.ts'
import { emailTaken, invited, lockNamedMember, type MemberRow } from '#src/areas/people/index.ts'
import { getProduct, ProductRef, shareProduct } from '#src/areas/shop/digital-products/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact, FactPayload } from '#src/contract/fact.ts'
import { type AsCaller, declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { type GiftRow, giftList, type HolderRow, hasManyHolders, holderList } from './queries.ts'
import { giftExists, isCovered } from './rules.ts'
import { Gift, type GiftInput, GiftPage, GiftRef, GiftsQuery, HolderPage, HoldersQuery, NewGift } from './schema.ts'

const workbook = { product_id: 'slug:sourdough-workbook' }

const giftView = ({ member_id: id, member_name: name, ...row }: GiftRow) => ({ ...row, member: { id, name } })

const findGift = async ({ db, school }: AsCaller, productId: string, id: string): Promise<GiftRow | undefined> =>
  db.first(listStatement(giftList(school.id, { productId, id })))

const listProductGifts = declareFor('staff', 'digital_products', {
  id: 'listProductGifts',
  route: 'GET /digital-products/:product_id/gifts',
  summary: "List a product's gifts",
  description: 'Lists to whom the school gave a product, also gifts that ended or were taken back.',
  params: ProductRef,
  query: GiftsQuery,
  returns: GiftPage,
  example: { params: workbook },
  async handle(context) {
    const { school, params, query } = context
    const product = await getProduct(context, params.product_id)
    const list = giftList(school.id, { productId: product.id, memberId: query.member_id })
    return readList(context, list, rows => rows.map(giftView))
  },
})

type Recipient = { readonly row: MemberRow; readonly isNew: boolean; readonly fact?: Fact | undefined }

const resolveRecipient = async (context: WriteContext, input: GiftInput): Promise<Recipient> => {
  const { db, school } = context
  const { member_id: memberId, email } = input
  if ((memberId === undefined) === (email === undefined))
    throw faulty([{ pointer: '', code: 'one_of', message: 'has either member_id or email' }])
  if (email !== undefined) return findOrAddMember(context, { ...input, email })
  const row = memberId === undefined ? undefined : await lockNamedMember(db, school.id, memberId)
  if (row === undefined || row.status === 'deleted') throw faulty([unknown('/member_id', 'a member of the school')])
  return { row, isNew: false }
}

const givenFact = (ids: FactPayload<'gift.deleted'>, notify: boolean): Fact => ({
  type: 'gift.created',
  payload: { ...ids, notify },
  effects: notify ? texts.shop.downloads.gifts.operations.givenFact.effects.mailsThePersonAboutThe : {},
})

const createProductGift = declareFor('staff', 'digital_products', {
  id: 'createProductGift',
  route: 'POST /digital-products/:product_id/gifts',
  summary: 'Give a product',
  description:
    'Gives a product to a member, by id or by e-mail address. A person without an account gets one with the `name`, and is invited. A gift is one more reason for access, beside those that the member has.',
  params: ProductRef,
  body: NewGift,
  returns: Gift,
  status: 201,
  fails: [giftExists, invalidState, emailTaken],
  example: {
    params: workbook,
    body: {
      member_id: exampleFrom('mem', 'listMembers', { having: { email: 'femi@crumb.example' } }),
      note: 'For helping at the bake sale',
      notify: false,
    },
  },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const endsAt = body.ends_at ?? undefined
    refuseInvalid(errorsOfSpan({ endsAt }, now))
    // The member is locked before the product, in the order of every purchase.
    const { id: productId } = await getProduct(context, params.product_id)
    const { row: member, isNew, fact } = await resolveRecipient(context, body)
    if ((await shareProduct(db, school.id, productId)) === undefined)
      throw new Refusal(notFound, 'There is no such product.')
    const item = { type: 'digital_product', id: productId } as const
    const { at, entitlements } = await readAccess(db, school.id, { memberId: member.id, item })
    if (isCovered(entitlements, endsAt, at)) throw new Refusal(giftExists, 'The member has this gift already.')
    const plan = { memberId: member.id, named: item, source: 'gift', endsAt, reason: body.note } as const
    const given = await entitleAll(context, [plan])
    const [entitlement] = given.entitlements
    if (entitlement === undefined) throw new Error('a gift without a source id is always given')
    const ids = {
      gift_id: toId('ent', entitlement.id),
      member_id: toId('mem', member.id),
      product_id: toId('dpr', productId),
    }
    changed({ ids: Object.values(ids), fields: Object.keys(body), memberId: member.id })
    if (fact !== undefined) record(fact)
    if (isNew && body.send_invitation !== false) record(invited(member))
    for (const fact of given.facts) record(fact)
    record(givenFact(ids, body.notify !== false))
    const row = await findGift(context, productId, entitlement.id)
    if (row === undefined) throw new Error('the gift was just stored')
    return giftView(row)
  },
})

const deleteProductGift = declareFor('staff', 'digital_products', {
  id: 'deleteProductGift',
  route: 'DELETE /digital-products/:product_id/gifts/:entitlement_id',
  summary: 'Take a gift back',
  description:
    'Ends the access that a gift gave. What the member bought or has through a group or a plan stays. A gift that has ended stays as it was.',
  params: GiftRef,
  returns: undefined,
  example: {
    params: {
      ...workbook,
      entitlement_id: exampleFrom('ent', 'listProductGifts', { having: { 'member.name': 'Eli Sørensen' } }),
    },
  },
  async handle(context) {
    const { db, school, params, changed, record } = context
    const product = await getProduct(context, params.product_id)
    const gift = await findGift(context, product.id, params.entitlement_id)
    if (gift === undefined) throw new Refusal(notFound, 'The product has no such gift.')
    await lockNamedMember(db, school.id, gift.member_id)
    const facts = await revoke(context, [gift.id], { by: 'school' })
    if (facts.length === 0) return
    const ids = {
      gift_id: toId('ent', gift.id),
      member_id: toId('mem', gift.member_id),
      product_id: toId('dpr', product.id),
    }
    changed({ ids: Object.values(ids), fields: ['revoked_at'], memberId: gift.member_id })
    for (const fact of facts) record(fact)
    record({ type: 'gift.deleted', payload: ids })
  },
})

const holderViews = async ({ db, school }: AsCaller, productId: string, rows: readonly HolderRow[]) => {
  const pairs = rows.map(({ id }) => ({ memberId: id, itemId: productId }))
  const accesses = await readAccesses(db, school.id, 'digital_product', pairs)
  return rows.map(({ id, name }) => {
    const explained = accesses.get(nameOfPair({ memberId: id, itemId: productId }))
    if (explained === undefined) throw new Error('every pair has an access')
    return { member: { id, name }, access: accessView(explained) }
  })
}

const listProductHolders = declareFor('staff', 'digital_products', {
  id: 'listProductHolders',
  route: 'GET /digital-products/:product_id/holders',
  summary: "List a product's holders",
  description:
    'Lists the members who can download a product now, or with `state` those whose access is in another state, with everything that gives it: orders, gifts, groups and plans.',
  params: ProductRef,
  query: HoldersQuery,
  returns: HolderPage,
  example: { params: workbook },
  async handle(context) {
    const { db, school, params, query } = context
    const product = await getProduct(context, params.product_id)
    const isMany = await hasManyHolders(db, school.id, product.id)
    const list = holderList(school.id, product.id, { state: query.state ?? 'active', isMany })
    return readList(context, list, rows => holderViews(context, product.id, rows))
  },
})

/** The operations of gifts and holders, in the order of the documentation. */
export const giftOperations = [createProductGift, listProductGifts, deleteProductGift, listProductHolders]
