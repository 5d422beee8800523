import { changeRow } from '#src/contract/change.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, type Cells, declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { amountCell, percentText } from '#src/kit/money.ts'
import { fold } from '#src/kit/text.ts'
import { foldCode } from '../codes/rules.ts'
import { schoolDay } from '../lookups.ts'
import { getNamedCoupon, lockNamedCoupon } from './access.ts'
import {
  type CouponFilter,
  type CouponRow,
  couponList,
  deleteCouponRow,
  type ListedCoupon,
  shareCurrency,
  storeArchived,
  storeCoupon,
} from './queries.ts'
import { checkUnused, couponInUse, itemUuid, mergeCoupon } from './rules.ts'
import {
  Coupon,
  CouponChanges,
  CouponPage,
  CouponRef,
  CouponsQuery,
  type ListCouponsParams,
  NewCoupon,
} from './schema.ts'
import { couponView, couponViews } from './views.ts'
import { addCoupon, checkCoupon } from './writes.ts'

const ACTIONS = [
  'getCoupon',
  'updateCoupon',
  'deleteCoupon',
  'archiveCoupon',
  'unarchiveCoupon',
  'createCouponCodes',
  'stopCouponCode',
]

const welcome = { coupon_id: 'code:WELCOME-10' }

// Nobody has used it, and the example of a new coupon has its name.
const harvest = { coupon_id: exampleFrom('cpn', 'listCoupons', { having: { name: 'Harvest week' } }) }

const readFilter = async (context: SchoolContext, query: ListCouponsParams): Promise<CouponFilter> => ({
  today: await schoolDay(context),
  q: query.q === undefined ? undefined : { words: fold(query.q), code: foldCode(query.q) },
  status: query.status,
  kind: query.kind,
  itemId: query.item_id === undefined ? undefined : itemUuid(query.item_id),
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
})

const decimal = (amount: number | null, { currency }: CouponRow) =>
  amount === null || currency === null ? null : amountCell(amount, currency)

const CELLS: Cells<ListedCoupon> = {
  id: row => row.id,
  name: row => row.name,
  status: row => row.status,
  kind: row => row.kind,
  percent_off: row => (row.percent_off === null ? null : { decimal: percentText(row.percent_off) }),
  amount_off: row => decimal(row.amount_off, row),
  currency: row => row.currency,
  trial_days: row => row.trial_days,
  starts_on: row => row.starts_on,
  ends_on: row => row.ends_on,
  max_redemptions: row => row.max_redemptions,
  max_per_member: row => row.max_per_member,
  times_redeemed: row => row.taken,
  times_held: row => row.held,
  code_count: row => row.code_count,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

const listCoupons = declareFor('staff', 'coupons', {
  id: 'listCoupons',
  route: 'GET /coupons',
  summary: 'List coupons',
  description:
    'Lists the coupons of the school, oldest first unless `sort` says otherwise. With `after`, a coupon comes again when its settings or codes changed, and not when it was used.',
  query: CouponsQuery,
  returns: CouponPage,
  csv: {
    cells: CELLS,
    statement: async context =>
      listStatement(couponList(context.school.id, await readFilter(context, context.query)), context.query.sort),
  },
  async handle(context) {
    const filter = await readFilter(context, context.query)
    return readList(context, couponList(context.school.id, filter), rows => couponViews(context, rows, filter.today))
  },
})

const getCoupon = declareFor('staff', 'coupons', {
  id: 'getCoupon',
  route: 'GET /coupons/:coupon_id',
  summary: 'Get a coupon',
  description: 'Returns a coupon by its id or, after `code:`, by one of its codes. It shows its first 20 codes.',
  params: CouponRef,
  returns: Coupon,
  example: { params: welcome },
  async handle(context) {
    const row = await getNamedCoupon(context, context.params.coupon_id)
    const view = await couponView(context, row, await schoolDay(context))
    return { ...view, allowed_actions: context.allowedActions(ACTIONS) }
  },
})

const createCoupon = declareFor('staff', 'coupons', {
  id: 'createCoupon',
  route: 'POST /coupons',
  summary: 'Create a coupon',
  description:
    'Creates a coupon without codes; nobody can use it before it has one. Amounts are in the currency of the school.',
  body: NewCoupon,
  returns: Coupon,
  status: 201,
  example: {
    body: {
      name: 'Harvest week',
      kind: 'percent',
      percent_off: '25',
      starts_on: '2030-09-15',
      ends_on: '2030-09-21',
      max_redemptions: 500,
      max_per_member: 1,
    },
  },
  async handle(context) {
    const { caller, body, changed, record } = context
    const row = await addCoupon(context, body, caller.member.id)
    const id = toId('cpn', row.id)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'coupon.created', payload: { coupon_id: id } })
    return couponView(context, row, await schoolDay(context))
  },
})

const updateCoupon = declareFor('staff', 'coupons', {
  id: 'updateCoupon',
  route: 'PATCH /coupons/:coupon_id',
  summary: 'Update a coupon',
  description:
    'Changes the settings of a coupon. Once an order holds or has used it, only `name`, `ends_on`, `max_redemptions`, `active` and `note` change.',
  ifMatch: 'honoured',
  params: CouponRef,
  body: CouponChanges,
  returns: Coupon,
  fails: [couponInUse],
  example: { params: harvest, body: { note: 'For the second harvest' } },
  async handle(context) {
    const { db, school, params, body } = context
    const currency = await shareCurrency(db, school.id)
    const row = await lockNamedCoupon(context, params.coupon_id)
    const today = await schoolDay(context)
    return changeRow(context, row, {
      id: toId('cpn', row.id),
      fact: 'coupon.updated',
      values: () => mergeCoupon(row, body, currency),
      check: (values, fields) => {
        checkUnused(row, fields)
        return checkCoupon(context, values, currency, row)
      },
      store: values => storeCoupon(db, school.id, row.id, values),
      view: stored => couponView(context, stored, today),
    })
  },
})

const deleteCoupon = declareFor('staff', 'coupons', {
  id: 'deleteCoupon',
  route: 'DELETE /coupons/:coupon_id',
  summary: 'Delete a coupon',
  description: 'Deletes a coupon with its codes if no order ever held it. Archive a coupon that was used.',
  ifMatch: 'honoured',
  params: CouponRef,
  returns: undefined,
  fails: [couponInUse],
  example: { params: harvest },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockNamedCoupon(context, params.coupon_id)
    const today = await schoolDay(context)
    await requireMatch(row.revision, () => couponView(context, row, today))
    if ((await deleteCouponRow(db, school.id, row.id)) === 0)
      throw new Refusal(couponInUse, 'An order held this coupon; archive it instead.')
    const id = toId('cpn', row.id)
    changed({ ids: [id], fields: [] })
    record({ type: 'coupon.deleted', payload: { coupon_id: id } })
  },
})

type Archiving = AsCaller &
  Pick<WriteContext, 'now' | 'requireMatch' | 'changed' | 'record'> & {
    readonly params: { readonly coupon_id: string }
  }

const archive = async (context: Archiving, isArchived: boolean) => {
  const { db, school, params, requireMatch, changed, record } = context
  const row = await lockNamedCoupon(context, params.coupon_id)
  const today = await schoolDay(context)
  await requireMatch(row.revision, () => couponView(context, row, today))
  if ((row.archived_at !== null) === isArchived) return couponView(context, row, today)
  const stored = await storeArchived(db, school.id, row.id, isArchived)
  const id = toId('cpn', row.id)
  changed({ ids: [id], fields: ['archived_at'], revision: stored.revision })
  record({ type: isArchived ? 'coupon.archived' : 'coupon.unarchived', payload: { coupon_id: id } })
  return couponView(context, stored, today)
}

const archiveCoupon = declareFor('staff', 'coupons', {
  id: 'archiveCoupon',
  route: 'PUT /coupons/:coupon_id/archive',
  summary: 'Archive a coupon',
  description:
    'Archives a coupon: its codes are refused as unknown, and nobody else can have them. Orders that hold a use of it keep it.',
  ifMatch: 'honoured',
  params: CouponRef,
  returns: Coupon,
  example: { params: welcome },
  handle: context => archive(context, true),
})

const unarchiveCoupon = declareFor('staff', 'coupons', {
  id: 'unarchiveCoupon',
  route: 'DELETE /coupons/:coupon_id/archive',
  summary: 'Unarchive a coupon',
  description: 'Takes a coupon out of the archive; its codes work again.',
  ifMatch: 'honoured',
  params: CouponRef,
  returns: Coupon,
  example: { params: welcome },
  handle: context => archive(context, false),
})

/** The operations of coupons, in the order of the documentation. */
export const couponOperations = [
  listCoupons,
  getCoupon,
  createCoupon,
  updateCoupon,
  deleteCoupon,
  archiveCoupon,
  unarchiveCoupon,
]
