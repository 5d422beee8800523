import { CouponPage } from '#src/areas/shop/index.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, momentColumn, page, renderName } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import { type CouponShown, formatWorth } from './shown.ts'

const { common, list: said } = texts.staff.coupons
const { heads } = texts.staff.lists

const PATH = '/staff/coupons'

const list = createList({
  path: PATH,
  operation: 'listCoupons',
  returns: CouponPage,
  sort: '-created_at',
  filters: { q: 'search', status: common.statuses },
  texts: said,
})

const buildColumns = (context: StaffContext): Column<CouponShown>[] => {
  const { t } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'name',
      cell: ({ id, name }) => renderName(`${PATH}/${id}`, name),
    },
    { name: texts.words.code, kind: 'low', cell: ({ codes }) => codes[0]?.code ?? '' },
    { name: texts.words.status, cell: ({ status }) => statusPill(t(common.statuses[status]), status) },
    momentColumn(context, { name: heads.created, kind: 'date c-low', sort: '-created_at', at: one => one.created_at }),
    { name: said.uses, kind: 'num', isNamed: true, cell: one => formatNumber(one.times_redeemed, context.language) },
    { name: said.worth, kind: 'lead', cell: coupon => formatWorth(coupon, context) },
  ]
}

/** GET /staff/coupons. */
export const couponList = [
  page(`GET ${PATH}`, staff, async context => {
    const { t } = context
    const shown = await list.read(context)
    return context.frame({
      title: t(common.title),
      ...showList(context, list, shown, {
        columns: buildColumns(context),
        rows: shown.page.data,
        more: html`<a class="button" href="${PATH}/preview">${t(common.preview)}</a>`,
        action: html`<a class="button main" href="${PATH}/new">${t(common.add)}</a>`,
      }),
    })
  }),
]
