import { setTimeout as pause } from 'node:timers/promises'
import {
  deliveryStatuses,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookReplay,
  WebhookSecret,
} from '#src/areas/apps/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fillEach } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actForms,
  buildOutcome,
  type Column,
  createList,
  factList,
  form,
  hidden,
  momentColumn,
  page,
  readDone,
  renderAct,
  renderName,
  submitAct,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { card } from '../../console/frame.ts'
import { renderList } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import { actFields, buildActs } from './acts.ts'
import { secretPage } from './secret.ts'
import {
  type DeliveryShown,
  deliveryPill,
  describeFact,
  describeOutcome,
  nameNumber,
  nameWebhook,
  readParams,
  readWebhook,
  WEBHOOKS,
  type WebhookShown,
  webhookPill,
} from './shown.ts'
import { listTypes, nameType } from './types.ts'

const { acts, common, deliveries, one: text } = texts.staff.webhooks

const PATH = `${WEBHOOKS}/:id`

const createDeliveryList = (id: string) =>
  createList({
    path: `${WEBHOOKS}/${id}`,
    operation: 'listWebhookDeliveries',
    returns: WebhookDeliveryPage,
    params: { webhook_id: id },
    filters: { status: Object.fromEntries(deliveryStatuses.map(status => [status, deliveries.statuses[status]])) },
    texts: {
      filters: { status: texts.words.status },
      all: deliveries.title,
      none: deliveries.none,
      empty: deliveries.empty,
    },
  })

const canResend = ({ status }: WebhookShown, delivery: DeliveryShown): boolean =>
  status !== 'disabled' && (delivery.status === 'failed' || delivery.status === 'dropped')

const buildColumns = (webhook: WebhookShown, context: StaffContext): Column<DeliveryShown>[] => [
  {
    name: deliveries.name,
    kind: 'main',
    cell: one =>
      renderName(
        `${WEBHOOKS}/${webhook.id}/deliveries/${one.id}`,
        nameType(one.fact.type, context.language),
        describeFact(one, context),
      ),
  },
  { name: texts.words.status, kind: 'lead', cell: one => deliveryPill(one, context) },
  {
    name: deliveries.outcome,
    cell: one =>
      html`<span>${describeOutcome(one, context)}</span>${canResend(webhook, one) && renderAct(context, { name: nameNumber(one, context), act: 'resend', fields: { delivery: one.id }, texts: acts.resend })}`,
  },
  momentColumn(context, { name: deliveries.happened, at: ({ fact }) => fact.timestamp }),
]

const renderFacts = (webhook: WebhookShown, { t, time, language }: StaffContext): Html => {
  const { url, types, app, ordered, secret_hint: hint, previous_secret_expires_at: ends } = webhook
  const { last_delivered_at: last, waiting_count: waiting, created_at: created } = webhook
  const { facts } = text
  return card(
    t(text.about),
    factList([
      [t(facts.receiver), html`<code>${url}</code>`],
      [t(common.what), listTypes(types, language)],
      [t(facts.order), ordered ? t(facts.ordered) : undefined],
      [t(facts.waiting), formatNumber(waiting, language)],
      [t(facts.last), last === null ? undefined : time(last)],
      [t(facts.secret), t(facts.secretHint, { hint })],
      [t(facts.previous), ends === null ? undefined : t(texts.words.until, { day: time(ends) })],
      [t(facts.madeBy), `${time(created)}, ${app === null ? t(facts.bySchool) : t(common.byApp, { name: app.name })}`],
    ]),
  )
}

// Why nothing is sent, or only little, and what follows.
const renderState = (webhook: WebhookShown, { t, time, language }: StaffContext): Html | false => {
  const { status, disabled_reason: reason, failing_since: since, missed_from: missed } = webhook
  if (status === 'failing' && since !== null)
    return html`<p class="notice bad">${t(text.failing, { time: time(since) })}</p>\n`
  if (reason === null) return false
  return html`<p class="notice">${t(text.reasons[reason])}${missed !== null && html` ${t(text.missed, { n: formatNumber(missed, language) })}`}</p>\n`
}

const renderActions = ({ status, id }: WebhookShown, { t, form: renderForm }: StaffContext): Html => {
  const button = t(status === 'disabled' ? text.enable : text.tryNow)
  return html`<a class="button" href="${WEBHOOKS}/${id}/edit">${t(common.edit)}</a>${status !== 'active' && renderForm(html`${hidden({ act: 'enable' })}<button class="main" type="submit">${button}</button>`, `${WEBHOOKS}/${id}`)}`
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language, request } = context
  const webhook = await readWebhook(context)
  const list = createDeliveryList(webhook.id)
  const shown = await list.read(context)
  const n = formatNumber(webhook.missed_from ?? 0, language)
  const missed = { ...acts.missed, about: fillEach(acts.missed.about, { n }) }
  const listed = renderList(context, list, shown, {
    columns: buildColumns(webhook, context),
    rows: shown.page.data,
    heading: t(deliveries.title),
  })
  return context.frame({
    title: nameWebhook(webhook),
    badge: webhookPill(webhook, context),
    ...buildOutcome(context, again?.refusal, {
      sets: actFields,
      said: { ...staffText.refusals, ...text.refusals },
      done: common.done,
    }),
    ...(again === undefined &&
      readDone(request) === TEST_FAILED && { notice: { kind: 'refused', text: t(text.testFailed) }, status: 200 }),
    actions: renderActions(webhook, context),
    isWide: true,
    hasCards: true,
    body: html`${renderState(webhook, context)}<div class="split"><div class="stack">${listed}</div>
<div class="stack">${renderFacts(webhook, context)}${actForms(context, {
      acts: buildActs(webhook, language),
      item: webhook,
      texts: { ...acts, missed },
      refused: again,
      stored: { replay: [['only', 'failed']] },
    })}</div></div>`,
  })
}

const TEST_FAILED = 'test_failed'
const TRIES = 25
const BETWEEN_TRIES_MS = 200

// Most receivers answer within seconds, so that whoever sends a test learns with the next page whether it was accepted.
const waitForTest = async (context: StaffContext, params: Readonly<Record<string, string>>): Promise<string> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const { status } = await context.call({ operation: 'getWebhookDelivery', params, returns: WebhookDelivery })
    if (status !== 'waiting') return status === 'delivered' ? 'test_delivered' : TEST_FAILED
    await pause(BETWEEN_TRIES_MS)
  }
  return 'test'
}

const submit = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const params = readParams(context)
  const own = `${WEBHOOKS}/${params.webhook_id}`
  return submitAct(
    context,
    { acts: buildActs(await readWebhook(context), context.language), typed, params },
    {
      async perform(act, call) {
        if (act === 'rotate') {
          const isAtOnce = formField(typed, 'at_once') === 'yes'
          const webhook = await context.call({ ...call, returns: WebhookSecret })
          return secretPage(context, webhook, isAtOnce ? 'at_once' : 'rotated')
        }
        if (act === 'missed' || act === 'replay') {
          const { count } = await context.call({ ...call, returns: WebhookReplay })
          return `${own}?done=${count === 0 ? 'nothing' : act}`
        }
        if (act === 'test') {
          const { id } = await context.call({ ...call, returns: WebhookDelivery })
          return `${own}?done=${await waitForTest(context, { ...params, delivery_id: id })}`
        }
        await context.call(call)
        return act === 'delete' ? `${WEBHOOKS}?done=delete` : `${own}?done=${act}`
      },
      async listEffects(_act, call) {
        const { result } = await context.call({ ...call, returns: WebhookReplay, dryRun: true })
        const n = result?.count ?? 0
        return n === 0 ? [] : [context.t(text.effects.replay, { n })]
      },
      show: again => show(context, again),
    },
  )
}

/** GET and POST /staff/webhooks/:id: what was sent, what waits, and what can be done. */
export const oneWebhook = [page(`GET ${PATH}`, staff, context => show(context)), form(`POST ${PATH}`, staff, submit)]
