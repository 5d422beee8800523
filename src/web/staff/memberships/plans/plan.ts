import { randomUUID } from 'node:crypto'
import { PostCategoryPage } from '#src/areas/publishing/index.ts'
import { PricePage, School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { fold } from '#src/kit/text.ts'
import { doneOf, type FormFile, redirect } from '#src/web/page/index.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { revisionOf } from '../../form-fields.ts'
import { findItems } from '../../items.ts'
import type { StaffSection } from '../../section.ts'
import { perform, refusalFor, staffFileForm, staffPage, type Visit } from '../../visit.ts'
import { callOf } from './plan-acts.ts'
import { planPage } from './plan-page.ts'
import type { Openable, PlanView } from './plan-view.ts'
import { getPlan, paramsOf, planPath } from './shown.ts'

const ALL: Pairs = [['limit', '100']]

const findCategories = async (visit: Visit, q: string): Promise<Openable[]> => {
  const { data } = await perform(visit, { operation: 'listPostCategories', query: ALL, returns: PostCategoryPage })
  return data
    .filter(({ name }) => fold(name).includes(fold(q)))
    .map(({ id, name }) => ({ type: 'post_category', id, name }))
}

const findOpenable = async (visit: Visit, q: string): Promise<readonly Openable[] | undefined> => {
  if (q === '') return undefined
  const [items, categories] = await Promise.all([
    findItems(visit.parts.performAs, visit.person, q),
    findCategories(visit, q),
  ])
  return [...items.map(({ type, id, name }) => ({ type, id, name })), ...categories]
}

const currencyOf = async (visit: Visit): Promise<string> =>
  (await perform(visit, { operation: 'getSchool', returns: School })).currency

const pageOf = async (visit: Visit, refused?: PlanView['refused']): Promise<Reply> => {
  const q = (visit.query.get('item') ?? '').trim()
  const [plan, prices, currency, found] = await Promise.all([
    getPlan(visit),
    perform(visit, { operation: 'listPlanPrices', params: paramsOf(visit), query: ALL, returns: PricePage }),
    currencyOf(visit),
    findOpenable(visit, q),
  ])
  return planPage({
    ...{ visit, plan, currency, q, found, refused },
    prices: prices.data.filter(({ status }) => status === 'active'),
    ended: prices.data.filter(({ status }) => status !== 'active'),
    formKey: randomUUID(),
    done: doneOf(visit.request),
  })
}

const setPicture = async (visit: Visit, form: Pairs, file: FormFile | undefined): Promise<void> => {
  const body = { image_file_id: await storeFile(visit.parts, visit.person, file, 'plan') }
  const params = paramsOf(visit)
  await perform(visit, { operation: 'updateMembershipPlan', params, body, revision: revisionOf(form) })
}

const decide = async (visit: Visit, form: Pairs): Promise<void> => {
  const [{ plan_type: planType }, currency] = await Promise.all([getPlan(visit), currencyOf(visit)])
  await perform(visit, callOf(form, paramsOf(visit).plan_id, { planType, currency, language: visit.language }))
}

const submit = async (visit: Visit, form: Pairs, file: FormFile | undefined): Promise<Reply> => {
  const act = formField(form, 'act')
  const refusal = await refusalFor(act === 'picture' ? setPicture(visit, form, file) : decide(visit, form))
  if (refusal !== undefined) return pageOf(visit, { act, form, refusal })
  if (act === 'delete') return redirect('/staff/plans?done=delete')
  return redirect(`${planPath(paramsOf(visit).plan_id)}?done=${act}`)
}

/** GET and POST /staff/plans/:id. */
export const planDetails: StaffSection = {
  // The list of plans leads to each of them.
  entries: [],
  endpoints: parts => [
    staffPage('GET /staff/plans/:id', parts, visit => pageOf(visit)),
    staffFileForm('POST /staff/plans/:id', parts, submit),
  ],
}
