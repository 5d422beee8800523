import { randomUUID } from 'node:crypto'
import { ProductFilePage } from '#src/areas/digital-products/index.ts'
import { PricePage } from '#src/areas/prices/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { doneOf, redirect } from '#src/web/account/index.ts'
import type { StaffSection } from '../section.ts'
import { perform, refusalFor, type StaffVisit, staffForm, staffPage } from '../teaching/visit.ts'
import { actOf, callOf } from './product-acts.ts'
import { type ProductView, productPage } from './product-page.ts'
import { getProduct, paramsOf, productPath } from './shown.ts'

const ALL: Pairs = [['limit', '100']]
const ACTIVE: Pairs = [...ALL, ['status', 'active']]

const termsOf = async (visit: StaffVisit) => {
  const { currency, time_zone: timeZone } = await perform(visit, { operation: 'getSchool', returns: School })
  return { currency, timeZone }
}

/** The page of a product; `refused` is what was refused just now. */
export const productReply = async (visit: StaffVisit, refused?: ProductView['refused']): Promise<Reply> => {
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

const submit = async (visit: StaffVisit, form: Pairs): Promise<Reply> => {
  const { product_id: id } = paramsOf(visit)
  const act = actOf(form)
  const terms = await termsOf(visit)
  const performed = async () => perform(visit, callOf(act, form, id, terms))
  const refusal = await refusalFor(performed())
  if (refusal !== undefined) return productReply(visit, { act, form, refusal })
  if (act === 'copy') return redirect('/staff/products')
  return redirect(act === 'delete' ? '/staff/products?done=deleted' : `${productPath(id)}?done=${act}`)
}

/** GET and POST /staff/products/:id. */
export const productDetails: StaffSection = {
  // The list of products leads to each of them.
  entries: [],
  endpoints: parts => [
    staffPage('GET /staff/products/:id', parts, visit => productReply(visit)),
    staffForm('POST /staff/products/:id', parts, submit),
  ],
}
