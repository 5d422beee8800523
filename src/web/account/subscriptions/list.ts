import { SubscriptionPage } from '#src/areas/memberships/index.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { framed } from '#src/web/page/index.ts'
import { backLink } from '../pages/account.ts'
import { termsText } from '../pages/recurring.ts'
import type { AccountPagesParts } from '../parts.ts'
import type { OwnSubscription } from './shown.ts'
import { statusAbout, statusName } from './status.ts'
import { subscriptionText as text } from './text.ts'
import { subscriptionPage, type Visit } from './visit.ts'

const PATH = '/account/subscriptions'
const PAGE = '20'
const MAX_CURSOR = 500

const item = (subscription: OwnSubscription, { language, viewer }: Visit): Html => {
  const reader = { language, person: viewer }
  const { price } = subscription
  const [about] = statusAbout(subscription, undefined, reader)
  return html`<li>
<a href="${PATH}/${subscription.id}"><bdi>${subscription.item.name}</bdi></a>
<span class="amount">${price === null ? fill(text.free, language) : termsText(price, language)}</span>
<span class="quiet"><strong>${statusName(subscription, reader)}</strong>${about !== undefined && ` · ${about}`}</span>
</li>
`
}

const emptyPart = ({ language }: Visit): Html => html`<p>${fill(text.none, language)}</p>
<p class="quiet">${fill(text.noneAbout, language)}</p>
<p><a href="/courses">${fill(text.catalogue, language)}</a></p>`

const show = async (visit: Visit): Promise<Reply> => {
  const { performAs, person, query, language, request } = visit
  const cursor = cleanLine(query.get('cursor') ?? '', MAX_CURSOR)
  const { data, next_cursor: next } = await performAs(person, {
    operation: 'listAccountSubscriptions',
    query: [['limit', PAGE], ...(cursor === '' ? [] : [['cursor', cursor] as const])],
    returns: SubscriptionPage,
  })
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    body: html`${
      data.length === 0
        ? emptyPart(visit)
        : html`<ul class="list orders">
${data.map(one => item(one, visit))}</ul>`
    }
${cursor !== '' && html`<p><a href="${PATH}">${fill(text.newest, language)}</a></p>`}
${next !== undefined && html`<p><a rel="next" href="${PATH}?${String(new URLSearchParams({ cursor: next }))}">${fill(text.older, language)}</a></p>`}
${backLink(language)}`,
  })
}

/** GET /account/subscriptions: what a person pays again and again. */
export const subscriptionListEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  subscriptionPage(`GET ${PATH}`, parts, show),
]
