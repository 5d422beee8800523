import { WebhookDelivery } from '#src/areas/apps/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, buildOutcome, factList, form, hidden, page, submitAct } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import {
  deliveryPill,
  describeFact,
  describeOutcome,
  nameWebhook,
  readParams,
  readWebhook,
  WEBHOOKS,
  type WebhookShown,
} from './shown.ts'
import { nameType } from './types.ts'

const { acts, common, deliveries: text, one } = texts.staff.webhooks

const PATH = `${WEBHOOKS}/:id/deliveries/:delivery`

const readDelivery = (context: StaffContext) => ({
  ...readParams(context),
  delivery_id: context.params.delivery ?? '',
})

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, time, language, request } = context
  const [webhook, delivery] = await Promise.all([
    readWebhook(context),
    context.call({ operation: 'getWebhookDelivery', params: readDelivery(context), returns: WebhookDelivery }),
  ])
  const { fact, attempts, last_attempt_at: last, next_attempt_at: next, duration_ms: took } = delivery
  const button = html`<button class="main" type="submit">${t(acts.resend.button)}</button>`
  return context.frame({
    title: nameType(fact.type, language),
    badge: deliveryPill(delivery, context),
    lead: describeFact(delivery, context),
    parents: [{ path: `${WEBHOOKS}/${webhook.id}`, name: nameWebhook(webhook) }],
    ...buildOutcome(context, again?.refusal, {
      said: { ...staffText.refusals, ...one.refusals },
      done: { resend: common.done.resend },
    }),
    ...(webhook.status !== 'disabled' && {
      actions: context.form(html`${hidden({ act: 'resend' })}${button}`, request.path),
    }),
    body: html`${factList([
      [t(text.id), html`<code>${fact.id}</code>`],
      [t(text.happened), time(fact.timestamp)],
      [t(text.attempts), formatNumber(attempts, language)],
      [
        t(text.lastAttempt),
        last === null ? undefined : t(text.attempt, { time: time(last), n: formatNumber(took ?? 0, language) }),
      ],
      [t(text.outcome), describeOutcome(delivery, context)],
      [t(text.nextAttempt), next === null ? undefined : time(next)],
    ])}
<h2>${t(text.body)}</h2>
<pre tabindex="0" role="region" aria-label="${t(text.body)}"><code>${JSON.stringify(fact, undefined, 2)}</code></pre>`,
  })
}

const resendActs = { resend: { operation: 'resendWebhookDelivery', isOnce: true, offered: () => true } } as const

const submit = (context: StaffContext, typed: Pairs): Promise<Reply> =>
  submitAct<WebhookShown>(
    context,
    { acts: resendActs, typed, params: readDelivery(context) },
    {
      async perform(_act, call) {
        await context.call(call)
        return `${context.request.path}?done=resend`
      },
      show: again => show(context, again),
    },
  )

/** GET and POST /staff/webhooks/:id/deliveries/:delivery: what is sent, and how it went. */
export const oneDelivery = [page(`GET ${PATH}`, staff, context => show(context)), form(`POST ${PATH}`, staff, submit)]
