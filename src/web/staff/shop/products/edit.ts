import { randomUUID } from 'node:crypto'
import { DigitalProduct } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { form, formKeyIn, isShown, page, redirect, revisionIn } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { listTree } from '../../courses/categories/index.ts'
import type { StaffSection } from '../../section.ts'
import { editPage } from './edit-page.ts'
import { blankForm, formOfProduct, settingsIn } from './product-form.ts'
import { getProduct, paramsOf, productPath } from './shown.ts'

const NEW = '/staff/products/new'

const productOf = (context: StaffContext) => (context.request.params.id === undefined ? undefined : getProduct(context))

const show = async (context: StaffContext): Promise<Reply> => {
  const [product, categories] = await Promise.all([productOf(context), listTree(context)])
  const typed = product === undefined ? blankForm : formOfProduct(product)
  return editPage({ context, product, categories, typed, refusal: undefined, formKey: randomUUID() })
}

const store = async (context: StaffContext, form: Pairs): Promise<string> => {
  const body = settingsIn(form)
  if (context.request.params.id === undefined) {
    const call = { operation: 'createDigitalProduct', body, ...formKeyIn(form), returns: DigitalProduct }
    return (await context.call(call)).id
  }
  const call = { operation: 'updateDigitalProduct', params: paramsOf(context), body, revision: revisionIn(form) }
  return (await context.call({ ...call, returns: DigitalProduct })).id
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  try {
    const id = await store(context, form)
    return redirect(`${productPath(id)}?done=${context.request.params.id === undefined ? 'created' : 'changed'}`)
  } catch (error) {
    if (!isShown(error)) throw error
    const [product, categories] = await Promise.all([productOf(context), listTree(context)])
    return editPage({ context, product, categories, typed: form, refusal: error, formKey: randomUUID() })
  }
}

/** GET and POST /staff/products/new and /staff/products/:id/edit. */
export const productEdit: StaffSection = {
  // The list and the page of a product lead to them.
  entries: [],
  pages: [
    page(`GET ${NEW}`, staff, show),
    form(`POST ${NEW}`, staff, submit),
    page('GET /staff/products/:id/edit', staff, show),
    form('POST /staff/products/:id/edit', staff, submit),
  ],
}
