import { DigitalProductPage } from '#src/areas/shop/index.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, doneIn, momentColumn, page, readDone, renderName } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { renderBinned } from '../../pages/binned.ts'
import { showList } from '../../pages/list-page.ts'
import { formatPrice, type ProductShown } from './shown.ts'

const { common, list: said } = texts.staff.products
const { heads } = texts.staff.lists

const PATH = '/staff/products'

const list = createList({
  path: PATH,
  operation: 'listDigitalProducts',
  returns: DigitalProductPage,
  sort: '-created_at',
  filters: { q: 'search', status: common.statuses },
  texts: said,
})

const buildColumns = (context: StaffContext): Column<ProductShown>[] => {
  const { t, language } = context
  const count = (n: number): string => formatNumber(n, language)
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'name',
      cell: ({ id, name, subtitle }) => renderName(`${PATH}/${id}`, name, subtitle),
    },
    { name: texts.words.status, cell: ({ status }) => statusPill(t(common.statuses[status]), status) },
    momentColumn(context, { name: heads.created, kind: 'date c-low', sort: '-created_at', at: one => one.created_at }),
    { name: texts.words.files, kind: 'num c-low', cell: ({ file_count: n }) => count(n) },
    { name: heads.holders, kind: 'num', isNamed: true, cell: ({ holder_count: n = 0 }) => count(n) },
    { name: heads.sold, kind: 'num', isNamed: true, cell: ({ sales: n = 0 }) => count(n) },
    {
      name: texts.words.price,
      kind: 'num c-lead',
      cell: ({ primary_price: price }) => (price === null ? t(texts.words.noPrice) : formatPrice(price, context)),
    },
  ]
}

/** GET /staff/products. */
export const productList = [
  page(`GET ${PATH}`, staff, async context => {
    const { t, language, request } = context
    const shown = await list.read(context)
    return context.frame({
      title: t(common.title),
      notice: doneIn(said.done, readDone(request), language),
      ...showList(context, list, shown, {
        columns: buildColumns(context),
        rows: shown.page.data,
        above: await renderBinned(context),
        action: html`<a class="button main" href="${PATH}/new">${t(common.add)}</a>`,
      }),
    })
  }),
]
