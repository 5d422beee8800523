import { DigitalProductPage } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, doneOf, framed, page, select } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { field, inputs } from '../../pages/fields.ts'
import { staffLink } from '../../pages/link.ts'
import type { StaffSection } from '../../section.ts'
import { turning } from '../../teaching/lists.ts'
import { teachingText } from '../../teaching/text.ts'
import { type ProductShown, priceOf, productPath } from './shown.ts'
import { productsText } from './text.ts'

const text = texts.staff.products.list

const PATH = '/staff/products'

const item = (product: ProductShown, { t, language }: StaffContext): Html => {
  const { id, name, status, primary_price: price, file_count: n, holder_count: holders = 0, sales = 0 } = product
  const facts = [
    t(productsText.statuses[status]),
    price === null ? t(productsText.noPrice) : priceOf(price, language),
    t(productsText.files, { n }),
    ...(holders > 0 ? [t(productsText.holders, { n: holders })] : []),
    ...(sales > 0 ? [t(productsText.sales, { n: sales })] : []),
  ]
  return html`<li><a href="${productPath(id)}"><bdi>${name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const search = ({ t }: StaffContext, q: string, status: string): Html => {
  const statuses = Object.entries(productsText.statuses).map(([value, name]) => ({
    value,
    label: t(name),
  }))
  return html`<form method="get" action="${PATH}">
${field({ name: 'q', label: t(text.search), value: q, attributes: inputs.search })}
${select('status', t(text.status), status, [{ value: '', label: t(text.any) }, ...statuses])}
<div class="buttons row"><button type="submit">${t(teachingText.find)}</button></div>
</form>`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request, query } = context
  const part = (name: string): string => (query.get(name) ?? '').trim()
  const parameters = { q: part('q'), status: part('status'), cursor: part('cursor') }
  const given: Pairs = [['sort', '-created_at'], ...Object.entries(parameters)]
  const { data: products, next_cursor: next } = await context.call({
    operation: 'listDigitalProducts',
    query: given.filter(([, value]) => value !== ''),
    returns: DigitalProductPage,
  })
  const isSearch = Object.values(parameters).some(value => value !== '')
  return framed({
    school: request.school,
    language,
    title: t(productsText.title),
    notice: doneIn(text.done, doneOf(request), language),
    body: html`<p><a class="button main" href="${PATH}/new">${t(productsText.add)}</a></p>
${search(context, parameters.q, parameters.status)}
<h2>${t(isSearch ? text.found : text.all)}</h2>
${products.length === 0 ? html`<p>${t(isSearch ? text.none : text.empty)}</p>` : html`<ul class="list menu">\n${products.map(product => item(product, context))}</ul>`}
${turning(context, PATH, { parameters, next })}
${products.length > 0 && downloadLinks('listDigitalProducts', schoolOf(context), Object.entries(parameters))}
${staffLink(language)}`,
  })
}

/** GET /staff/products. */
export const productList: StaffSection = {
  entries: [{ path: PATH, name: productsText.title, about: productsText.about }],
  pages: [page(`GET ${PATH}`, staff, show)],
}
