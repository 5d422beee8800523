import type { Static } from 'typebox'
import type { Registration } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Language } from '#src/contract/language.ts'
import { formatPeriod } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { AccountContext } from '../parts.ts'

const { registrations: text } = texts.account

/** One of the person's registrations, as the page shows it. */
export type OwnRegistration = Encoded<Static<typeof Registration>>

/** The address of the list of registrations. */
export const LIST = '/account/registrations'

/** What the clock shows where the event is, from the start to the end, with its time zone. */
export const formatDates = (
  { starts_at: starts, ends_at: ends }: Pick<OwnRegistration, 'starts_at' | 'ends_at'>,
  language: Language,
): string => formatPeriod(starts.utc, ends.utc, starts.time_zone, language)

/** The address of the page of a registration. */
export const registrationPath = ({ id }: Pick<OwnRegistration, 'id'>): string => `${LIST}/${id}`

const isTakeable = ({ status, order_id: order }: OwnRegistration): boolean =>
  status === 'offered' || (status === 'awaiting_payment' && order === null)

/** The statuses in which a person still has the seat, or waits for it. */
export const CANCELABLE: readonly OwnRegistration['status'][] = [
  'confirmed',
  'offered',
  'waitlisted',
  'awaiting_approval',
  'awaiting_payment',
]

const actForm = (act: 'take' | 'cancel', { id }: OwnRegistration, { t, form }: AccountContext): Html =>
  form(
    html`${hidden({ act, registration: id })}<div class="buttons"><button${act === 'take' && html` class="main"`} type="submit">${t(text[act])}</button></div>`,
    LIST,
  )

/** What a person can do about a registration. */
export const actParts = (one: OwnRegistration, context: AccountContext): Html => {
  const { t } = context
  return html`${one.status === 'awaiting_payment' && one.order_id !== null && html`<p><a href="/account/orders">${t(text.order)}</a></p>`}
${isTakeable(one) && actForm('take', one, context)}
${
  CANCELABLE.includes(one.status) &&
  html`<details class="card">
<summary>${t(text.cancel)}</summary>
<p class="quiet">${t(text.cancelAbout)}</p>
${actForm('cancel', one, context)}
</details>
`
}`
}
