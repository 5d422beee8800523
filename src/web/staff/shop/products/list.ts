import { DigitalProductPage } from '#src/areas/shop/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { createList, doneIn, listRow, page, readDone } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { renderBinned } from '../../pages/binned.ts'
import { staffLink } from '../../pages/link.ts'
import { formatPrice } from './shown.ts'

const { common, list: said } = texts.staff.products

const PATH = '/staff/products'

const list = createList({
  path: PATH,
  operation: 'listDigitalProducts',
  returns: DigitalProductPage,
  query: [['sort', '-created_at']],
  filters: { q: 'search', status: common.statuses },
  texts: said,
})

/** GET /staff/products. */
export const productList = [
  page(`GET ${PATH}`, staff, async context => {
    const { t, language, request } = context
    const shown = await list.read(context)
    const rows = shown.page.data.map(product => {
      const { id, name, status, primary_price: price, file_count: n, holder_count: holders = 0, sales = 0 } = product
      return listRow(`${PATH}/${id}`, name, [
        t(common.statuses[status]),
        price === null ? t(texts.words.noPrice) : formatPrice(price, context),
        t(common.files, { n }),
        ...(holders > 0 ? [t(common.holders, { n: holders })] : []),
        ...(sales > 0 ? [t(common.sales, { n: sales })] : []),
      ])
    })
    return context.frame({
      title: t(common.title),
      notice: doneIn(said.done, readDone(request), language),
      body: html`${await renderBinned(context)}
<p><a class="button main" href="${PATH}/new">${t(common.add)}</a></p>
${list.filterForm(context, shown)}
${list.rows(context, shown, rows)}
${rows.length > 0 && downloadLinks('listDigitalProducts', context, shown.given)}
${staffLink(language)}`,
    })
  }),
]
