import { CouponPage } from '#src/areas/shop/index.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { pill } from '../../console/frame.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { type CouponShown, formatWorth } from './shown.ts'

const { common, list: said } = texts.staff.coupons

const PATH = '/staff/coupons'

const list = createList({
  path: PATH,
  operation: 'listCoupons',
  returns: CouponPage,
  sort: '-created_at',
  filters: { q: 'search', status: common.statuses },
  texts: said,
})

const KINDS = {
  active: 'good',
  scheduled: 'info',
  off: 'hollow',
  over: 'plain',
  used_up: 'plain',
  archived: 'plain',
} as const

const buildColumns = (context: StaffContext): Column<CouponShown>[] => {
  const { t } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      cell: ({ id, name }) => html`<a href="${PATH}/${id}"><bdi>${name}</bdi></a>`,
    },
    { name: texts.words.code, kind: 'low', cell: ({ codes }) => codes[0]?.code ?? '' },
    { name: texts.words.status, cell: ({ status }) => pill(t(common.statuses[status]), KINDS[status]) },
    { name: said.uses, kind: 'num', isNamed: true, cell: one => formatNumber(one.times_redeemed, context.language) },
    { name: said.worth, kind: 'lead', cell: coupon => formatWorth(coupon, context) },
  ]
}

/** GET /staff/coupons, and the same list as CSV. */
export const couponList = [
  page(`GET ${PATH}`, staff, async context => {
    const { t } = context
    const shown = await list.read(context)
    const rows = shown.page.data
    return context.frame({
      title: t(common.title),
      actions: html`<a class="button" href="${PATH}/preview">${t(common.preview)}</a>
<a class="button main" href="${PATH}/new">${t(common.add)}</a>`,
      isWide: true,
      hasCards: true,
      body: list.table(context, shown, {
        columns: buildColumns(context),
        rows,
        below: rows.length > 0 && csvLinks(list.csvPath(shown), context),
      }),
    })
  }),
  page(`GET ${PATH}/csv`, staff, context =>
    exportList(context, { operation: 'listCoupons', query: list.queryFor(context) }),
  ),
]
