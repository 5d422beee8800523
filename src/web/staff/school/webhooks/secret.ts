import type { Static } from 'typebox'
import type { WebhookSecret } from '#src/areas/apps/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'
import { nameWebhook, WEBHOOKS } from './shown.ts'

const { secret: text } = texts.staff.webhooks

/** The page with the secret of a webhook, which is shown this once; `how` says whether the webhook is new, or its secret. */
export const secretPage = (
  context: StaffContext,
  webhook: Encoded<Static<typeof WebhookSecret>>,
  how: 'created' | 'rotated' | 'at_once',
): Reply => {
  const { t, time } = context
  const { id, secret, previous_secret_expires_at: ends } = webhook
  const path = `${WEBHOOKS}/${id}`
  return context.frame({
    title: t(text.title),
    parents: [{ path, name: nameWebhook(webhook) }],
    notice: { kind: 'done', text: t(how === 'created' ? text.created : text.rotated) },
    body: html`<p>${t(text.once)}</p>
<p><code class="copy">${secret}</code></p>
<p class="quiet">${t(text.how)}</p>
${how === 'rotated' && ends !== null && html`<p>${t(text.previousEnds, { time: time(ends) })}</p>\n`}${how === 'at_once' && html`<p>${t(text.previousEnded)}</p>\n`}<p><a class="button main" href="${path}">${t(text.continue)}</a></p>`,
  })
}
