import { randomUUID } from 'node:crypto'
import {
  PriceChange,
  Proration,
  Subscription,
  SubscriptionChangePage,
  SubscriptionCredit,
  SubscriptionPeriodPage,
} from '#src/areas/memberships/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { Html } from '#src/kit/html.ts'
import { prorationTable } from '#src/web/account/index.ts'
import { doneOf, redirect } from '#src/web/page/index.ts'
import { staffFormOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { answer, isShown, perform, staffPage, type Visit, visitOf } from '../../visit.ts'
import { actOf, callOf, type SubscriptionAct } from './acts.ts'
import { priceChoices } from './choices.ts'
import { onePage } from './one-page.ts'
import { previewPage } from './preview-page.ts'
import type { SubscriptionShown } from './shown.ts'
import { pathOf, type SubscriptionView } from './view.ts'

const PATH = '/staff/subscriptions/:subscription'

const paramsOf = ({ request }: Visit) => ({ subscription_id: request.params.subscription ?? '' })

const readOne = (visit: Visit): Promise<SubscriptionShown> =>
  perform(visit, { operation: 'getSubscription', params: paramsOf(visit), returns: Subscription })

const showOne = async (visit: Visit, refused?: SubscriptionView['refused']): Promise<Reply> => {
  const subscription = await readOne(visit)
  const most = { params: paramsOf(visit), query: [['limit', '100']] as [string, string][] }
  const [periods, changes, prices, credit] = await Promise.all([
    perform(visit, { operation: 'listSubscriptionPeriods', ...most, returns: SubscriptionPeriodPage }),
    perform(visit, { operation: 'listSubscriptionChanges', ...most, returns: SubscriptionChangePage }),
    priceChoices(visit, subscription),
    perform(visit, { operation: 'getSubscriptionCredit', params: paramsOf(visit), returns: SubscriptionCredit }),
  ])
  return onePage({
    ...{ visit, subscription, prices, refused },
    periods: periods.data,
    changes: changes.data,
    credits: credit.entries,
    formKey: randomUUID(),
    done: doneOf(visit.request),
  })
}

// What a change of the price costs, with the quote of these amounts, which are charged and no others.
const costsOf = async (visit: Visit, form: Pairs): Promise<{ readonly form: Pairs; readonly costs: Html }> => {
  const proration = await perform(visit, {
    operation: 'getSubscriptionProration',
    params: paramsOf(visit),
    query: [['price_id', formField(form, 'price_id')]],
    returns: Proration,
  })
  const others = form.filter(([name]) => name !== 'quote')
  return {
    form: [...others, ['quote', proration.quote ?? '']],
    costs: prorationTable(proration, { language: visit.language, person: visit.viewer }),
  }
}

// A change of the price answers with what became of it, beside the subscription.
const tried = async ({ parts, person }: Visit, act: SubscriptionAct, call: PageCall<undefined>) => {
  if (act === 'price') {
    const { result, effects } = await parts.performAs(person, { ...call, returns: PriceChange, dryRun: true })
    return { after: result?.subscription, effects }
  }
  const { result, effects } = await parts.performAs(person, { ...call, returns: Subscription, dryRun: true })
  return { after: result, effects }
}

const preview = async (visit: Visit, act: SubscriptionAct, typed: Pairs): Promise<Reply> => {
  const before = await readOne(visit)
  const isCosting = act === 'price' && formField(typed, 'when') === 'now' && formField(typed, 'proration') !== 'none'
  const { form, costs } = isCosting ? await costsOf(visit, typed) : { form: typed, costs: undefined }
  const call = callOf(act, form, visit)
  const { after, effects } = await tried(visit, act, call)
  return previewPage({ visit, act, form, before, after, effects, costs })
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  const act = actOf(form)
  try {
    if (formField(form, 'step') !== 'do') return await preview(visit, act, form)
    await perform(visit, callOf(act, form, visit))
    return redirect(`${pathOf({ id: paramsOf(visit).subscription_id })}?done=${act}`)
  } catch (error) {
    if (!isShown(error)) throw error
    return showOne(visit, { act, form, refusal: error })
  }
}

// What moves money needs a recent sign-in.
const post = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const visit = visitOf(request, parts, posted.session)
  return answer(visit, () => submit(visit, posted.form))
}

/** GET and POST /staff/subscriptions/:subscription. */
export const subscriptionDetails: StaffSection = {
  // The list of subscriptions leads to each of them.
  entries: [],
  endpoints: parts => [
    staffPage(`GET ${PATH}`, parts, visit => showOne(visit)),
    endpoint({ route: `POST ${PATH}`, handle: request => post(request, parts) }),
  ],
}
