import { randomUUID } from 'node:crypto'
import { School } from '#src/areas/school/index.ts'
import { GiftPage, HolderPage } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { doneOf, form, formKeyIn, page, redirect, refusalFor } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { exportList } from '../../csv.ts'
import { endOf } from '../../learning/students/index.ts'
import type { StaffSection } from '../../section.ts'
import { type PeopleView, peoplePage } from './people-page.ts'
import { getProduct, paramsOf, productPath } from './shown.ts'

// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 600

const pageQuery = (context: StaffContext, name: string): Pairs => {
  const cursor = context.query.get(name) ?? ''
  return cursor === '' ? [] : [['cursor', cursor]]
}

const pageOf = async (context: StaffContext, refused?: PeopleView['refused']): Promise<Reply> => {
  const params = paramsOf(context)
  const [product, holders, gifts] = await Promise.all([
    getProduct(context),
    context.call({
      operation: 'listProductHolders',
      params,
      query: pageQuery(context, 'holders'),
      returns: HolderPage,
    }),
    context.call({ operation: 'listProductGifts', params, query: pageQuery(context, 'gifts'), returns: GiftPage }),
  ])
  const done = doneOf(context.request)
  return peoplePage({ context, product, holders, gifts, refused, done, formKey: randomUUID() })
}

const give = async (context: StaffContext, form: Pairs): Promise<void> => {
  const { time_zone: zone } = await context.call({ operation: 'getSchool', returns: School })
  const [name, note] = [cleanLine(formField(form, 'name'), LONGEST), cleanLine(formField(form, 'note'), LONGEST)]
  const body = {
    email: cleanLine(formField(form, 'email'), LONGEST),
    ends_at: endOf(formField(form, 'ends_on').trim(), zone, '/ends_at'),
    notify: formField(form, 'notify') === 'yes',
    ...(name === '' ? {} : { name }),
    ...(note === '' ? {} : { note }),
  }
  await context.call({ operation: 'createProductGift', params: paramsOf(context), body, ...formKeyIn(form) })
}

const takeBack = async (context: StaffContext, form: Pairs): Promise<void> => {
  const params = { ...paramsOf(context), entitlement_id: formField(form, 'gift') }
  await context.call({ operation: 'deleteProductGift', params })
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act !== 'give' && act !== 'take_back') throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(act === 'give' ? give(context, form) : takeBack(context, form))
  if (refusal !== undefined) return pageOf(context, { act, form, refusal })
  return redirect(`${productPath(paramsOf(context).product_id)}/people?done=${act}`)
}

const exportCsv = (context: StaffContext): Promise<Reply> => {
  const call = { operation: 'listProductDownloads', params: paramsOf(context) }
  return exportList(context, call)
}

/** GET and POST /staff/products/:id/people: who has a product, and to whom it was given; downloads as CSV. */
export const productPeople: StaffSection = {
  // The page of a product leads to it.
  entries: [],
  pages: [
    page('GET /staff/products/:id/people', staff, context => pageOf(context)),
    form('POST /staff/products/:id/people', staff, submit),
    page('GET /staff/products/:id/downloads/csv', staff, exportCsv),
  ],
}
