import { CouponPage } from '#src/areas/shop/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { createList, listRow, page } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import { formatUses, formatWorth } from './shown.ts'

const { common, list: said } = texts.staff.coupons

const PATH = '/staff/coupons'

const list = createList({
  path: PATH,
  operation: 'listCoupons',
  returns: CouponPage,
  query: [['sort', '-created_at']],
  filters: { q: 'search', status: common.statuses },
  texts: said,
})

/** GET /staff/coupons, and the same list as CSV. */
export const couponList = [
  page(`GET ${PATH}`, staff, async context => {
    const { t, language } = context
    const shown = await list.read(context)
    const rows = shown.page.data.map(coupon =>
      listRow(`${PATH}/${coupon.id}`, coupon.name, [
        ...coupon.codes.slice(0, 1).map(({ code }) => code),
        formatWorth(coupon, context),
        t(common.statuses[coupon.status]),
        formatUses(coupon.times_redeemed, t),
      ]),
    )
    return context.frame({
      title: t(common.title),
      body: html`<p><a class="button main" href="${PATH}/new">${t(common.add)}</a></p>
<p><a href="${PATH}/preview">${t(common.preview)}</a></p>
${list.filterForm(context, shown)}
${list.rows(context, shown, rows)}
${rows.length > 0 && csvLinks(list.csvPath(shown), context)}
${staffLink(language)}`,
    })
  }),
  page(`GET ${PATH}/csv`, staff, context =>
    exportList(context, { operation: 'listCoupons', query: list.queryFor(context) }),
  ),
]
