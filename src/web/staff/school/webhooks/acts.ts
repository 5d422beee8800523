import { isNamed, sentTypes } from '#src/areas/apps/index.ts'
import type { Language } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  box,
  choice,
  fieldsFor,
  optionalTime,
  required,
  selectOne,
  time,
  unlessEmpty,
} from '#src/web/page/index.ts'
import type { WebhookShown } from './shown.ts'
import { nameType } from './types.ts'

const { acts: text } = texts.staff.webhooks

/** What of a school is sent again: `only` says whether what was delivered is, too. */
type Replay = { readonly from: string; readonly to: string | undefined; readonly only: 'failed' | 'all' }

const replayFields = fieldsFor<Replay>()(text.replay.fields, {
  from: required(time()),
  to: unlessEmpty(optionalTime()),
  only: choice(['failed', 'all']),
})

const rotateFields = fieldsFor<{ at_once: boolean }>()(text.rotate.fields, { at_once: box() })

const buildTestFields = ({ types }: WebhookShown, language: Language) => {
  const named = [...sentTypes.keys()].filter(type => isNamed(types, type)).toSorted()
  const choices = named.map(type => ({ value: type, label: `${nameType(type, language)} (${type})` }))
  return fieldsFor<{ type: string }>()(text.test.fields, { type: selectOne(choices) })
}

const isOn = ({ status }: WebhookShown): boolean => status !== 'disabled'
const isElsewhere = { offered: () => false, isOnce: true } as const

/** What staff do on the page of a webhook; turning it on and sending one delivery again have buttons of their own. */
export const buildActs = (webhook: WebhookShown, language: Language) => {
  const { missed_from: from } = webhook
  return {
    missed: {
      operation: 'replayWebhook',
      body: { from, only: 'failed' },
      isTried: 'first',
      isOnce: true,
      prefix: 'missed-',
      offered: one => isOn(one) && from !== null,
      opens: () => true,
    },
    test: {
      operation: 'testWebhook',
      fields: buildTestFields(webhook, language),
      isOnce: true,
      prefix: 'test-',
      offered: isOn,
      opens: ({ last_sequence: last }) => last === null,
    },
    replay: {
      operation: 'replayWebhook',
      fields: replayFields,
      isTried: 'first',
      isOnce: true,
      prefix: 'replay-',
      offered: isOn,
    },
    rotate: {
      operation: 'rotateWebhookSecret',
      fields: rotateFields,
      isOnce: true,
      prefix: 'rotate-',
      offered: () => true,
    },
    disable: { operation: 'disableWebhook', isOnce: true, offered: isOn },
    enable: { operation: 'enableWebhook', ...isElsewhere },
    resend: { operation: 'resendWebhookDelivery', params: { delivery_id: 'delivery' }, ...isElsewhere },
    delete: { operation: 'deleteWebhook', offered: () => true },
  } as const satisfies Readonly<Record<string, Act<WebhookShown>>>
}

/** The fields of the acts, for the sentences of refusals about them. */
export const actFields = [replayFields, rotateFields]
