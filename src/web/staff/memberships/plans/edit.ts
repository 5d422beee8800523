import { randomUUID } from 'node:crypto'
import { MembershipPlan } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { redirect } from '#src/web/page/index.ts'
import { formKeyIn, revisionOf } from '../../form-fields.ts'
import type { StaffSection } from '../../section.ts'
import { isShown, perform, staffForm, staffPage, type Visit } from '../../visit.ts'
import { editPage } from './edit-page.ts'
import { blankForm, formOfPlan, settingsIn } from './plan-form.ts'
import { getPlan, paramsOf, planPath } from './shown.ts'

const NEW = '/staff/plans/new'

const planOf = (visit: Visit) => (visit.request.params.id === undefined ? undefined : getPlan(visit))

const show = async (visit: Visit): Promise<Reply> => {
  const plan = await planOf(visit)
  const typed = plan === undefined ? blankForm : formOfPlan(plan)
  return editPage({ visit, plan, typed, refusal: undefined, formKey: randomUUID() })
}

const store = async (visit: Visit, form: Pairs): Promise<string> => {
  const body = settingsIn(form)
  if (visit.request.params.id === undefined) {
    const call = { operation: 'createMembershipPlan', body, ...formKeyIn(form), returns: MembershipPlan }
    return (await perform(visit, call)).id
  }
  const call = { operation: 'updateMembershipPlan', params: paramsOf(visit), body, revision: revisionOf(form) }
  return (await perform(visit, { ...call, returns: MembershipPlan })).id
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  try {
    const id = await store(visit, form)
    return redirect(`${planPath(id)}?done=${visit.request.params.id === undefined ? 'created' : 'changed'}`)
  } catch (error) {
    if (!isShown(error)) throw error
    return editPage({ visit, plan: await planOf(visit), typed: form, refusal: error, formKey: randomUUID() })
  }
}

/** GET and POST /staff/plans/new and /staff/plans/:id/edit. */
export const planEdit: StaffSection = {
  // The list and the page of a plan lead to them.
  entries: [],
  endpoints: parts => [
    staffPage(`GET ${NEW}`, parts, show),
    staffForm(`POST ${NEW}`, parts, submit),
    staffPage('GET /staff/plans/:id/edit', parts, show),
    staffForm('POST /staff/plans/:id/edit', parts, submit),
  ],
}
