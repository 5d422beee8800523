import { exampleFrom } from '#src/contract/example.ts'
import { MAX_IDS } from '#src/contract/facts/declaration.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { getNamedCoupon, lockNamedCoupon } from '../coupon/access.ts'
import { touchCoupon } from '../coupon/queries.ts'
import { CouponRef } from '../coupon/schema.ts'
import { type CodeRow, codeList, findCode, stopCode } from './queries.ts'
import { codeTaken, tooManyCodes } from './rules.ts'
import { CodeRef, CodesCreated, CodesQuery, CouponCode, CouponCodePage, NewCodes } from './schema.ts'
import { codeView } from './views.ts'
import { addCodes } from './writes.ts'

const welcome = { coupon_id: 'code:WELCOME-10' }

const CELLS: Cells<CodeRow> = {
  id: row => row.id,
  code: row => row.code,
  status: row => codeView(row).status,
  times_redeemed: row => row.times_redeemed,
  stopped_at: row => row.stopped_at,
  created_at: row => row.created_at,
}

const listCouponCodes = declareFor('staff', 'coupons', {
  id: 'listCouponCodes',
  route: 'GET /coupons/:coupon_id/codes',
  summary: "List a coupon's codes",
  description: 'Lists the codes of a coupon, oldest first. As CSV it is the list of generated codes.',
  params: CouponRef,
  query: CodesQuery,
  returns: CouponCodePage,
  csv: {
    cells: CELLS,
    statement: async context => {
      const { id } = await getNamedCoupon(context, context.params.coupon_id)
      return listStatement(codeList(context.school.id, { couponId: id, status: context.query.status }))
    },
  },
  example: { params: welcome },
  async handle(context) {
    const { id } = await getNamedCoupon(context, context.params.coupon_id)
    const list = codeList(context.school.id, { couponId: id, status: context.query.status })
    return readList(context, list, rows => rows.map(codeView))
  },
})

const createCouponCodes = declareFor('staff', 'coupons', {
  id: 'createCouponCodes',
  route: 'POST /coupons/:coupon_id/codes',
  summary: 'Add codes to a coupon',
  description:
    'Adds the `code` that is given, or random ones: one, or a `count` of them, with an optional `prefix`. They have at least 50 random bits, without the letters I, L, O and U. The response has a single code; many are in the list, also as CSV.',
  params: CouponRef,
  body: NewCodes,
  returns: CodesCreated,
  fails: [codeTaken, tooManyCodes],
  example: { params: welcome, body: { count: 100, prefix: 'FAIR' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const coupon = await lockNamedCoupon(context, params.coupon_id)
    const [first = '', ...more] = await addCodes({ db, schoolId: school.id, now }, coupon, body)
    const { revision, code_count } = await touchCoupon(db, school.id, coupon.id)
    const id = toId('cpn', coupon.id)
    const created = more.length + 1
    changed({ ids: [id], fields: ['codes'], revision })
    const code_ids = [first, ...more].slice(0, MAX_IDS).map(one => toId('cod', one))
    record({ type: 'coupon.updated', payload: { coupon_id: id, fields: ['codes'], code_ids, count: created } })
    const code = created > 1 ? undefined : await findCode(db, school.id, coupon.id, first)
    return { created, code_count, code: code === undefined ? null : codeView(code) }
  },
})

const stopCouponCode = declareFor('staff', 'coupons', {
  id: 'stopCouponCode',
  route: 'DELETE /coupons/:coupon_id/codes/:code_id',
  summary: 'Stop a code',
  description: 'Stops one code of a coupon for good. Orders that used it keep their discount; the other codes work on.',
  params: CodeRef,
  returns: CouponCode,
  example: { params: { ...welcome, code_id: exampleFrom('cod', 'listCouponCodes', { having: { status: 'active' } }) } },
  async handle(context) {
    const { db, school, params, changed, record } = context
    const coupon = await lockNamedCoupon(context, params.coupon_id)
    const find = async (): Promise<CodeRow> => {
      const row = await findCode(db, school.id, coupon.id, params.code_id)
      if (row === undefined) throw new Refusal(notFound, 'The coupon has no such code.')
      return row
    }
    const row = await find()
    if ((await stopCode(db, school.id, row.id)) === 0) return codeView(row)
    const { revision } = await touchCoupon(db, school.id, coupon.id)
    const ids = { code_id: toId('cod', row.id), coupon_id: toId('cpn', coupon.id) }
    changed({ ids: Object.values(ids), fields: ['stopped_at'], revision })
    record({ type: 'coupon.code_stopped', payload: ids })
    return codeView(await find())
  },
})

/** The operations of codes, in the order of the documentation. */
export const codeOperations = [listCouponCodes, createCouponCodes, stopCouponCode]
