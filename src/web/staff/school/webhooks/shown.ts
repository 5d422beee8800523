import type { Static } from 'typebox'
import { Webhook, type WebhookDelivery } from '#src/areas/apps/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formatNumber } from '#src/kit/format.ts'
import type { Html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { box, fieldsFor, link, optionalLine, required } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { typesField } from './types.ts'

const { common, deliveries: text, fields } = texts.staff.webhooks

/** The address of the pages of webhooks. */
export const WEBHOOKS = '/staff/webhooks'

/** A webhook as pages get it. */
export type WebhookShown = Encoded<Static<typeof Webhook>>

/** A delivery as pages get it. */
export type DeliveryShown = Encoded<Static<typeof WebhookDelivery>>

/** The fields of the form of a webhook. */
export const webhookFields = fieldsFor<WebhookShown>()(fields, {
  url: required(link({ most: 2000 })),
  description: optionalLine({ most: 200 }),
  types: typesField,
  ordered: box(),
})

/** The webhook in the path. */
export const readParams = ({ params }: Pick<StaffContext, 'params'>) => ({ webhook_id: params.id ?? '' })

/** Reads the webhook in the path. */
export const readWebhook = (context: StaffContext): Promise<WebhookShown> =>
  context.call({ operation: 'getWebhook', params: readParams(context), returns: Webhook })

/** What a webhook is called: what it is for, or the host that it sends to. */
export const nameWebhook = ({ description, url }: Pick<WebhookShown, 'description' | 'url'>): string =>
  description === null || description === '' ? new URL(url).host : description

/** The state of a webhook with its color. */
export const webhookPill = ({ status }: Pick<WebhookShown, 'status'>, { t }: StaffContext): Html =>
  statusPill(t(common.statuses[status]), status)

/** The state of a delivery with its color. */
export const deliveryPill = ({ status }: Pick<DeliveryShown, 'status'>, { t }: StaffContext): Html =>
  statusPill(t(text.statuses[status]), status)

/** What a fact is among those of the school: its number, or a test. */
export const nameNumber = ({ fact }: Pick<DeliveryShown, 'fact'>, { t, language }: StaffContext): string =>
  fact.test === true ? t(text.test) : t(text.number, { n: formatNumber(fact.sequence, language) })

/** The same with its type, below what happened. */
export const describeFact = (delivery: Pick<DeliveryShown, 'fact'>, context: StaffContext): string =>
  `${delivery.fact.type} · ${nameNumber(delivery, context)}`

const { answered, ...outcomes } = text.outcomes

const isOutcome = (word: string): word is keyof typeof outcomes => Object.hasOwn(outcomes, word)

/** How the last attempt went, in a few words; undefined before the first. */
export const describeOutcome = ({ last_outcome: word }: DeliveryShown, { t }: StaffContext): string | undefined => {
  if (word === null) return undefined
  return isOutcome(word) ? t(outcomes[word]) : t(answered, { status: word })
}
