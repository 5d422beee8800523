import { randomUUID } from 'node:crypto'
import { DigitalProduct } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { redirect } from '#src/web/page/index.ts'
import { listTree } from '../../courses/categories/index.ts'
import { formKeyIn, revisionOf } from '../../form-fields.ts'
import type { StaffSection } from '../../section.ts'
import { isShown, perform, staffForm, staffPage, type Visit } from '../../visit.ts'
import { editPage } from './edit-page.ts'
import { blankForm, formOfProduct, settingsIn } from './product-form.ts'
import { getProduct, paramsOf, productPath } from './shown.ts'

const NEW = '/staff/products/new'

const productOf = (visit: Visit) => (visit.request.params.id === undefined ? undefined : getProduct(visit))

const show = async (visit: Visit): Promise<Reply> => {
  const [product, categories] = await Promise.all([productOf(visit), listTree(visit)])
  const typed = product === undefined ? blankForm : formOfProduct(product)
  return editPage({ visit, product, categories, typed, refusal: undefined, formKey: randomUUID() })
}

const store = async (visit: Visit, form: Pairs): Promise<string> => {
  const body = settingsIn(form)
  if (visit.request.params.id === undefined) {
    const call = { operation: 'createDigitalProduct', body, ...formKeyIn(form), returns: DigitalProduct }
    return (await perform(visit, call)).id
  }
  const call = { operation: 'updateDigitalProduct', params: paramsOf(visit), body, revision: revisionOf(form) }
  return (await perform(visit, { ...call, returns: DigitalProduct })).id
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  try {
    const id = await store(visit, form)
    return redirect(`${productPath(id)}?done=${visit.request.params.id === undefined ? 'created' : 'changed'}`)
  } catch (error) {
    if (!isShown(error)) throw error
    const [product, categories] = await Promise.all([productOf(visit), listTree(visit)])
    return editPage({ visit, product, categories, typed: form, refusal: error, formKey: randomUUID() })
  }
}

/** GET and POST /staff/products/new and /staff/products/:id/edit. */
export const productEdit: StaffSection = {
  // The list and the page of a product lead to them.
  entries: [],
  endpoints: parts => [
    staffPage(`GET ${NEW}`, parts, show),
    staffForm(`POST ${NEW}`, parts, submit),
    staffPage('GET /staff/products/:id/edit', parts, show),
    staffForm('POST /staff/products/:id/edit', parts, submit),
  ],
}
