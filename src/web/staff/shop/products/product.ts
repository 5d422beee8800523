import { randomUUID } from 'node:crypto'
import { PricePage, School } from '#src/areas/school/index.ts'
import { ProductFilePage } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { doneOf, type FormFile, redirect } from '#src/web/page/index.ts'
import type { StaffSection } from '../../section.ts'
import { perform, refusalFor, staffFileForm, staffPage, type Visit } from '../../visit.ts'
import { fileWorkOf } from './files.ts'
import { actOf, callOf } from './product-acts.ts'
import { productPage } from './product-page.ts'
import type { ProductView } from './product-view.ts'
import { getProduct, paramsOf, productPath } from './shown.ts'

const ALL: Pairs = [['limit', '100']]
const ACTIVE: Pairs = [...ALL, ['status', 'active']]

const termsOf = async (visit: Visit) => {
  const { currency, time_zone: timeZone } = await perform(visit, { operation: 'getSchool', returns: School })
  return { currency, timeZone, language: visit.language }
}

const pageOf = async (visit: Visit, refused?: ProductView['refused']): Promise<Reply> => {
  const params = paramsOf(visit)
  const [product, files, prices, terms] = await Promise.all([
    getProduct(visit),
    perform(visit, { operation: 'listProductFiles', params, query: ALL, returns: ProductFilePage }),
    perform(visit, { operation: 'listProductPrices', params, query: ACTIVE, returns: PricePage }),
    termsOf(visit),
  ])
  return productPage({
    ...{ visit, product, refused, terms },
    files: files.data,
    prices: prices.data,
    formKey: randomUUID(),
    done: doneOf(visit.request),
  })
}

const decide = async (visit: Visit, form: Pairs): Promise<void> => {
  const terms = await termsOf(visit)
  await perform(visit, callOf(actOf(form), form, paramsOf(visit).product_id, terms))
}

const submit = async (visit: Visit, form: Pairs, file: FormFile | undefined): Promise<Reply> => {
  const fileWork = fileWorkOf(form)
  const refusal = await refusalFor(fileWork === undefined ? decide(visit, form) : fileWork(visit, form, file))
  const act = formField(form, 'act')
  if (refusal !== undefined) return pageOf(visit, { act, form, refusal })
  if (act === 'copy' || act === 'delete') return redirect(`/staff/products?done=${act}`)
  return redirect(`${productPath(paramsOf(visit).product_id)}?done=${act}`)
}

/** GET and POST /staff/products/:id. */
export const productDetails: StaffSection = {
  // The list of products leads to each of them.
  entries: [],
  endpoints: parts => [
    staffPage('GET /staff/products/:id', parts, visit => pageOf(visit)),
    staffFileForm('POST /staff/products/:id', parts, submit),
  ],
}
