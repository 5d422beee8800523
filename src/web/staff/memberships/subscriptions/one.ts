import { randomUUID } from 'node:crypto'
import {
  PriceChange,
  Proration,
  Subscription,
  SubscriptionChangePage,
  SubscriptionCredit,
  SubscriptionPeriodPage,
} from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { Html } from '#src/kit/html.ts'
import { prorationTable } from '#src/web/account/index.ts'
import { form, isShown, page, readDone, redirect } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { buildCall, readAct, type SubscriptionAct } from './acts.ts'
import { priceChoices } from './choices.ts'
import { onePage } from './one-page.ts'
import { previewPage } from './preview-page.ts'
import type { SubscriptionShown } from './shown.ts'
import { buildPath, type SubscriptionView } from './view.ts'

const PATH = '/staff/subscriptions/:subscription'

const readParams = ({ request }: StaffContext) => ({ subscription_id: request.params.subscription ?? '' })

const readOne = (context: StaffContext): Promise<SubscriptionShown> =>
  context.call({ operation: 'getSubscription', params: readParams(context), returns: Subscription })

const showOne = async (context: StaffContext, refused?: SubscriptionView['refused']): Promise<Reply> => {
  const subscription = await readOne(context)
  const most = { params: readParams(context), query: [['limit', '100']] as [string, string][] }
  const [periods, changes, prices, credit] = await Promise.all([
    context.call({ operation: 'listSubscriptionPeriods', ...most, returns: SubscriptionPeriodPage }),
    context.call({ operation: 'listSubscriptionChanges', ...most, returns: SubscriptionChangePage }),
    priceChoices(context, subscription),
    context.call({ operation: 'getSubscriptionCredit', params: readParams(context), returns: SubscriptionCredit }),
  ])
  return onePage({
    context,
    subscription,
    prices,
    refused,
    periods: periods.data,
    changes: changes.data,
    credits: credit.entries,
    formKey: randomUUID(),
    done: readDone(context.request),
  })
}

// What a change of the price costs, with the quote of these amounts, which are charged and no others.
const previewCosts = async (
  context: StaffContext,
  form: Pairs,
): Promise<{ readonly form: Pairs; readonly costs: Html }> => {
  const proration = await context.call({
    operation: 'getSubscriptionProration',
    params: readParams(context),
    query: [['price_id', formField(form, 'price_id')]],
    returns: Proration,
  })
  const others = form.filter(([name]) => name !== 'quote')
  return {
    form: [...others, ['quote', proration.quote ?? '']],
    costs: prorationTable(proration, { language: context.language, person: context.viewer }),
  }
}

// A change of the price answers with what became of it, beside the subscription.
const tried = async ({ parts, person }: StaffContext, act: SubscriptionAct, call: PageCall<undefined>) => {
  if (act === 'price') {
    const { result, effects } = await parts.performAs(person, { ...call, returns: PriceChange, dryRun: true })
    return { after: result?.subscription, effects }
  }
  const { result, effects } = await parts.performAs(person, { ...call, returns: Subscription, dryRun: true })
  return { after: result, effects }
}

const preview = async (context: StaffContext, act: SubscriptionAct, typed: Pairs): Promise<Reply> => {
  const before = await readOne(context)
  const isCosting = act === 'price' && formField(typed, 'when') === 'now' && formField(typed, 'proration') !== 'none'
  const { form, costs } = isCosting ? await previewCosts(context, typed) : { form: typed, costs: undefined }
  const call = buildCall(act, form, context)
  const { after, effects } = await tried(context, act, call)
  return previewPage({ context, act, form, before, after, effects, costs })
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const act = readAct(form)
  try {
    if (formField(form, 'step') !== 'do') return await preview(context, act, form)
    await context.call(buildCall(act, form, context))
    return redirect(`${buildPath({ id: readParams(context).subscription_id })}?done=${act}`)
  } catch (error) {
    if (!isShown(error)) throw error
    return showOne(context, { act, form, refusal: error })
  }
}

/** GET and POST /staff/subscriptions/:subscription. */
export const subscriptionDetails: StaffSection = {
  // The list of subscriptions leads to each of them.
  pages: [
    page(`GET ${PATH}`, staff, context => showOne(context)),
    // What moves money needs a recent sign-in.
    form(`POST ${PATH}`, staff, submit),
  ],
}
