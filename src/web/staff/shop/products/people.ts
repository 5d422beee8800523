import { randomUUID } from 'node:crypto'
import { School } from '#src/areas/school/index.ts'
import { GiftPage, HolderPage } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { doneOf, redirect } from '#src/web/page/index.ts'
import { exportList } from '../../csv.ts'
import { formKeyIn } from '../../form-fields.ts'
import { endOf } from '../../learning/students/index.ts'
import type { StaffSection } from '../../section.ts'
import { perform, refusalFor, staffForm, staffPage, type Visit } from '../../visit.ts'
import { type PeopleView, peoplePage } from './people-page.ts'
import { getProduct, paramsOf, productPath } from './shown.ts'

// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 600

const pageQuery = (visit: Visit, name: string): Pairs => {
  const cursor = visit.query.get(name) ?? ''
  return cursor === '' ? [] : [['cursor', cursor]]
}

const pageOf = async (visit: Visit, refused?: PeopleView['refused']): Promise<Reply> => {
  const params = paramsOf(visit)
  const [product, holders, gifts] = await Promise.all([
    getProduct(visit),
    perform(visit, {
      operation: 'listProductHolders',
      params,
      query: pageQuery(visit, 'holders'),
      returns: HolderPage,
    }),
    perform(visit, { operation: 'listProductGifts', params, query: pageQuery(visit, 'gifts'), returns: GiftPage }),
  ])
  const done = doneOf(visit.request)
  return peoplePage({ visit, product, holders, gifts, refused, done, formKey: randomUUID() })
}

const give = async (visit: Visit, form: Pairs): Promise<void> => {
  const { time_zone: zone } = await perform(visit, { operation: 'getSchool', returns: School })
  const [name, note] = [cleanLine(formField(form, 'name'), LONGEST), cleanLine(formField(form, 'note'), LONGEST)]
  const body = {
    email: cleanLine(formField(form, 'email'), LONGEST),
    ends_at: endOf(formField(form, 'ends_on').trim(), zone, '/ends_at'),
    notify: formField(form, 'notify') === 'yes',
    ...(name === '' ? {} : { name }),
    ...(note === '' ? {} : { note }),
  }
  await perform(visit, { operation: 'createProductGift', params: paramsOf(visit), body, ...formKeyIn(form) })
}

const takeBack = async (visit: Visit, form: Pairs): Promise<void> => {
  const params = { ...paramsOf(visit), entitlement_id: formField(form, 'gift') }
  await perform(visit, { operation: 'deleteProductGift', params })
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act !== 'give' && act !== 'take_back') throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(act === 'give' ? give(visit, form) : takeBack(visit, form))
  if (refusal !== undefined) return pageOf(visit, { act, form, refusal })
  return redirect(`${productPath(paramsOf(visit).product_id)}/people?done=${act}`)
}

const exportCsv = (visit: Visit): Promise<Reply> => {
  const call = { operation: 'listProductDownloads', params: paramsOf(visit) }
  return exportList(visit, call)
}

/** GET and POST /staff/products/:id/people: who has a product, and to whom it was given; downloads as CSV. */
export const productPeople: StaffSection = {
  // The page of a product leads to it.
  entries: [],
  endpoints: parts => [
    staffPage('GET /staff/products/:id/people', parts, visit => pageOf(visit)),
    staffForm('POST /staff/products/:id/people', parts, submit),
    staffPage('GET /staff/products/:id/downloads/csv', parts, exportCsv),
  ],
}
