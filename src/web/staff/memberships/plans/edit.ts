import { randomUUID } from 'node:crypto'
import { MembershipPlan } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { form, formKeyIn, isShown, page, redirect, revisionIn } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { editPage } from './edit-page.ts'
import { blankForm, formOfPlan, settingsIn } from './plan-form.ts'
import { getPlan, paramsOf, planPath } from './shown.ts'

const NEW = '/staff/plans/new'

const planOf = (context: StaffContext) => (context.request.params.id === undefined ? undefined : getPlan(context))

const show = async (context: StaffContext): Promise<Reply> => {
  const plan = await planOf(context)
  const typed = plan === undefined ? blankForm : formOfPlan(plan)
  return editPage({ context, plan, typed, refusal: undefined, formKey: randomUUID() })
}

const store = async (context: StaffContext, form: Pairs): Promise<string> => {
  const body = settingsIn(form)
  if (context.request.params.id === undefined) {
    const call = { operation: 'createMembershipPlan', body, ...formKeyIn(form), returns: MembershipPlan }
    return (await context.call(call)).id
  }
  const call = { operation: 'updateMembershipPlan', params: paramsOf(context), body, revision: revisionIn(form) }
  return (await context.call({ ...call, returns: MembershipPlan })).id
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  try {
    const id = await store(context, form)
    return redirect(`${planPath(id)}?done=${context.request.params.id === undefined ? 'created' : 'changed'}`)
  } catch (error) {
    if (!isShown(error)) throw error
    return editPage({ context, plan: await planOf(context), typed: form, refusal: error, formKey: randomUUID() })
  }
}

/** GET and POST /staff/plans/new and /staff/plans/:id/edit. */
export const planEdit: StaffSection = {
  // The list and the page of a plan lead to them.
  entries: [],
  pages: [
    page(`GET ${NEW}`, staff, show),
    form(`POST ${NEW}`, staff, submit),
    page('GET /staff/plans/:id/edit', staff, show),
    form('POST /staff/plans/:id/edit', staff, submit),
  ],
}
