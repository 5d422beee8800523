import { PricePage, School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actForms,
  buildDoneTexts,
  doneIn,
  factList,
  fileForm,
  noticeFor,
  page,
  readDone,
  shownAgain,
  submitAct,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { buildBinned } from '../../pages/binned.ts'
import { saleNote } from '../../sale-note.ts'
import { fileWorkFor, listFiles, renderFiles } from './files.ts'
import { renderPrices } from './prices-part.ts'
import { productActs } from './product-acts.ts'
import { buildPath, type ProductShown, productRefusals, readParams, readProduct } from './shown.ts'

const { acts, common, product: text } = texts.staff.products

const ACTIVE: Pairs = [
  ['limit', '100'],
  ['status', 'active'],
]

const readReader = async (context: StaffContext) => ({
  ...context,
  currency: (await context.call({ operation: 'getSchool', returns: School })).currency,
})

const renderFacts = (product: ProductShown, { t, time, language }: StaffContext): Html => {
  const { publish_at: planned, download_limit: limit, holder_count: holders = 0, sales = 0 } = product
  return factList([
    [t(texts.words.status), t(common.statuses[product.status])],
    [t(text.planned), planned == null ? undefined : time(planned)],
    [t(text.size), product.file_count === 0 ? undefined : formatBytes(product.byte_size, language)],
    [t(texts.words.downloads), limit === null ? undefined : t(text.limitOf, { n: limit })],
    [t(text.holders), String(holders)],
    [t(text.sales), sales === 0 ? undefined : String(sales)],
  ])
}

// What a product lacks before anybody can buy and download it.
const renderMissing = (product: ProductShown, { t }: StaffContext): Html | false => {
  const lacks = [
    ...(product.file_count === 0 ? [t(text.noFiles)] : []),
    ...(product.primary_price === null ? [t(text.noPrice)] : []),
  ]
  return lacks.length > 0 && product.status !== 'archived' && html`<p class="note">${lacks.join(' ')}</p>`
}

const show = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, call, language, request } = context
  const [product, files, prices, reader] = await Promise.all([
    readProduct(context),
    listFiles(context),
    call({ operation: 'listProductPrices', params: readParams(context), query: ACTIVE, returns: PricePage }),
    readReader(context),
  ])
  const path = buildPath(context)
  const sets = [productActs.schedule.fields, productActs.price.fields]
  return context.frame({
    title: product.name,
    ...(refused === undefined
      ? { notice: doneIn({ ...text.done, ...buildDoneTexts(acts) }, readDone(request), language) }
      : noticeFor(refused.refusal, language, { sets, said: { ...productRefusals, ...fileRefusals } })),
    body: html`${renderMissing(product, context)}
${renderFacts(product, context)}
<p><a class="button" href="${path}/edit">${t(texts.words.editTextsAndSettings)}</a></p>
<p><a href="${path}/people">${t(text.people)}</a>${product.status === 'published' && html` · <a href="/products/${product.slug}">${t(text.public)}</a>`}</p>
${renderFiles(product, files, context, refused)}
${await saleNote(context, prices.data)}${renderPrices(product, prices.data, reader, refused)}
<h2>${t(texts.page.acts.decide)}</h2>
${actForms(context, { acts: productActs, item: product, texts: acts, refused })}
<p class="quiet"><a href="/staff/products">${t(common.back)}</a></p>`,
  })
}

/** GET and POST /staff/products/:id. */
export const productDetail = [
  page('GET /staff/products/:id', staff, context => show(context)),
  fileForm('POST /staff/products/:id', staff, async (context, { form: typed, files: [file] }) => {
    const work = fileWorkFor(typed)
    const act = formField(typed, 'act')
    if (work === undefined)
      return submitAct(
        context,
        { acts: productActs, typed, params: readParams(context), reader: readReader(context) },
        {
          async perform(_, call) {
            await context.call(call)
            if (act === 'delete') return buildBinned('/staff/products', readParams(context).product_id)
            return act === 'copy' ? '/staff/products?done=copy' : `${buildPath(context)}?done=${act}`
          },
          show: again => show(context, again),
        },
      )
    return shownAgain(
      async () => {
        await work(context, typed, file)
        return `${buildPath(context)}?done=${act}`
      },
      refusal => show(context, { act, typed, refusal }),
    )
  }),
]
