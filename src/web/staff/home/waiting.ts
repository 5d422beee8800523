import type { Static } from 'typebox'
import type { Today, WaitingKind } from '#src/areas/console/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../audience.ts'
import { countDays, showWhen } from '../pages/when.ts'
import { onward, waitingIcons } from './icons.ts'

const text = texts.staff.home.waiting

/** What is known of today. */
export type Known = Encoded<Static<typeof Today>>

type Waiting = Known['waiting'][number]
type Kind = WaitingKind | 'confirmations'

const paths: Readonly<Record<Kind, `/staff/${string}`>> = {
  confirmations: '/staff/confirmations',
  transfers: '/staff/orders?status=pending&provider=manual',
  disputes: '/staff/orders?disputed=true',
  not_given: '/staff/orders',
  failed_refunds: '/staff/orders',
  credits: '/staff/subscriptions',
  past_due: '/staff/subscriptions?status=past_due',
  works: '/staff/grading',
  answers: '/staff/grading',
  requests: '/staff/events',
  reviews: '/staff/reviews?status=pending',
  comments: '/staff/comments?status=pending',
  questions: '/staff/comments?unanswered=true',
  reports: '/staff/comments?reported=true',
  failed_mails: '/staff/outbox?state=failed',
}

// From so many on not all were counted.
const MOST = 100

// The one order that waits is a click away; several are in their list.
const buildPath = ({ kind, count, examples: [first] }: Waiting): string =>
  count === 1 && typeof first?.order === 'string' ? `/staff/orders/${first.order}` : paths[kind]

const renderExample = (
  { order, name, about, amount, currency }: Waiting['examples'][number],
  { money }: StaffContext,
) => {
  const paid = amount === null || currency === null ? null : money(amount, currency)
  const who = [order, name, paid].filter(part => part !== null && part !== '').join(' ')
  return html`<bdi>${[who, about].filter(part => part !== null && part !== '').join(', ')}</bdi>`
}

const renderEnd = ({ since, until }: Waiting, now: string, context: StaffContext): Html => {
  const { t, day } = context
  if (until !== null && until > now) {
    const n = countDays(now, until, context)
    return html`<span class="pill warn" title="${t(text.by, { day: day(until) })}">${t(text.left, { n })}</span>`
  }
  return html`<span class="quiet s13 wide-only">${t(text.since, { when: showWhen(since, now, context) })}</span>`
}

const renderLine = (kind: Kind, href: string, { name, more, end }: { name: string; more: Html; end: Html | false }) =>
  html`<li>${waitingIcons[kind]}<div><a href="${href}">${name}</a>${more}</div>${end}${onward}</li>
`

const renderItem = (item: Waiting, now: string, context: StaffContext): Html => {
  const { t } = context
  const { kind, count, examples } = item
  const name = t(text.kinds[kind], { n: count })
  const shown = examples.map((one, at) => html`${at > 0 && ' · '}${renderExample(one, context)}`)
  const rest = count > examples.length && html` · ${t(texts.words.andMore, { n: count - examples.length })}`
  return renderLine(kind, buildPath(item), {
    name: count < MOST ? name : t(text.least, { n: name }),
    more: html`<small class="sub">${shown}${count < MOST && rest}</small>`,
    end: renderEnd(item, now, context),
  })
}

/** What waits for the person, each with the oldest of them and where it is done. */
export const renderWaiting = ({ waiting, as_of: now }: Known, confirmations: number, context: StaffContext): Html => {
  const { t } = context
  const n = confirmations + waiting.reduce((sum, { count }) => sum + count, 0)
  const asked =
    confirmations > 0 &&
    renderLine('confirmations', paths.confirmations, {
      name: t(text.kinds.confirmations, { n: confirmations }),
      more: html``,
      end: false,
    })
  return html`<section class="card flush" aria-labelledby="waiting"><header><h2 id="waiting">${t(text.title)}</h2>${n > 0 && html`<span class="quiet s13">${t(text.count, { n })}</span>`}</header>
${n === 0 ? html`<p class="quiet pad">${t(text.none)}</p>` : html`<ul class="list go pad">\n${asked}${waiting.map(item => renderItem(item, now, context))}</ul>`}
</section>
`
}
