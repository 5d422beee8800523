import { randomUUID } from 'node:crypto'
import { PostCategoryPage } from '#src/areas/publishing/index.ts'
import { PricePage, School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { fold } from '#src/kit/text.ts'
import {
  doneOf,
  type FormFile,
  type FormWithFiles,
  fileForm,
  page,
  redirect,
  refusalFor,
  revisionIn,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { findItems } from '../../items.ts'
import type { StaffSection } from '../../section.ts'
import { callOf } from './plan-acts.ts'
import { planPage } from './plan-page.ts'
import type { Openable, PlanView } from './plan-view.ts'
import { getPlan, paramsOf, planPath } from './shown.ts'

const ALL: Pairs = [['limit', '100']]

const findCategories = async (context: StaffContext, q: string): Promise<Openable[]> => {
  const { data } = await context.call({ operation: 'listPostCategories', query: ALL, returns: PostCategoryPage })
  return data
    .filter(({ name }) => fold(name).includes(fold(q)))
    .map(({ id, name }) => ({ type: 'post_category', id, name }))
}

const findOpenable = async (context: StaffContext, q: string): Promise<readonly Openable[] | undefined> => {
  if (q === '') return undefined
  const [items, categories] = await Promise.all([
    findItems(context.parts.performAs, context.person, q),
    findCategories(context, q),
  ])
  return [...items.map(({ type, id, name }) => ({ type, id, name })), ...categories]
}

const currencyOf = async (context: StaffContext): Promise<string> =>
  (await context.call({ operation: 'getSchool', returns: School })).currency

const pageOf = async (context: StaffContext, refused?: PlanView['refused']): Promise<Reply> => {
  const q = (context.query.get('item') ?? '').trim()
  const [plan, prices, currency, found] = await Promise.all([
    getPlan(context),
    context.call({ operation: 'listPlanPrices', params: paramsOf(context), query: ALL, returns: PricePage }),
    currencyOf(context),
    findOpenable(context, q),
  ])
  return planPage({
    ...{ context, plan, currency, q, found, refused },
    prices: prices.data.filter(({ status }) => status === 'active'),
    ended: prices.data.filter(({ status }) => status !== 'active'),
    formKey: randomUUID(),
    done: doneOf(context.request),
  })
}

const setPicture = async (context: StaffContext, form: Pairs, file: FormFile | undefined): Promise<void> => {
  const body = { image_file_id: await storeFile(context.parts, context.person, file, 'plan') }
  const params = paramsOf(context)
  await context.call({ operation: 'updateMembershipPlan', params, body, revision: revisionIn(form) })
}

const decide = async (context: StaffContext, form: Pairs): Promise<void> => {
  const [{ plan_type: planType }, currency] = await Promise.all([getPlan(context), currencyOf(context)])
  await context.call(callOf(form, paramsOf(context).plan_id, { planType, currency, language: context.language }))
}

const submit = async (context: StaffContext, { form, files: [file] }: FormWithFiles): Promise<Reply> => {
  const act = formField(form, 'act')
  const refusal = await refusalFor(act === 'picture' ? setPicture(context, form, file) : decide(context, form))
  if (refusal !== undefined) return pageOf(context, { act, form, refusal })
  if (act === 'delete') return redirect('/staff/plans?done=delete')
  return redirect(`${planPath(paramsOf(context).plan_id)}?done=${act}`)
}

/** GET and POST /staff/plans/:id. */
export const planDetails: StaffSection = {
  // The list of plans leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/plans/:id', staff, context => pageOf(context)),
    fileForm('POST /staff/plans/:id', staff, submit),
  ],
}
