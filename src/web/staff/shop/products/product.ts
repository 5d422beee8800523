import { randomUUID } from 'node:crypto'
import { PricePage, School } from '#src/areas/school/index.ts'
import { ProductFilePage } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { doneOf, type FormWithFiles, fileForm, page, redirect, refusalFor } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { fileWorkOf } from './files.ts'
import { actOf, callOf } from './product-acts.ts'
import { productPage } from './product-page.ts'
import type { ProductView } from './product-view.ts'
import { getProduct, paramsOf, productPath } from './shown.ts'

const ALL: Pairs = [['limit', '100']]
const ACTIVE: Pairs = [...ALL, ['status', 'active']]

const termsOf = async (context: StaffContext) => {
  const { currency, time_zone: timeZone } = await context.call({ operation: 'getSchool', returns: School })
  return { currency, timeZone, language: context.language }
}

const pageOf = async (context: StaffContext, refused?: ProductView['refused']): Promise<Reply> => {
  const params = paramsOf(context)
  const [product, files, prices, terms] = await Promise.all([
    getProduct(context),
    context.call({ operation: 'listProductFiles', params, query: ALL, returns: ProductFilePage }),
    context.call({ operation: 'listProductPrices', params, query: ACTIVE, returns: PricePage }),
    termsOf(context),
  ])
  return productPage({
    ...{ context, product, refused, terms },
    files: files.data,
    prices: prices.data,
    formKey: randomUUID(),
    done: doneOf(context.request),
  })
}

const decide = async (context: StaffContext, form: Pairs): Promise<void> => {
  const terms = await termsOf(context)
  await context.call(callOf(actOf(form), form, paramsOf(context).product_id, terms))
}

const submit = async (context: StaffContext, { form, files: [file] }: FormWithFiles): Promise<Reply> => {
  const fileWork = fileWorkOf(form)
  const refusal = await refusalFor(fileWork === undefined ? decide(context, form) : fileWork(context, form, file))
  const act = formField(form, 'act')
  if (refusal !== undefined) return pageOf(context, { act, form, refusal })
  if (act === 'copy' || act === 'delete') return redirect(`/staff/products?done=${act}`)
  return redirect(`${productPath(paramsOf(context).product_id)}?done=${act}`)
}

/** GET and POST /staff/products/:id. */
export const productDetails: StaffSection = {
  // The list of products leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/products/:id', staff, context => pageOf(context)),
    fileForm('POST /staff/products/:id', staff, submit),
  ],
}
