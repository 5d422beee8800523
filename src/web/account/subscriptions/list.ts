import { SubscriptionPage } from '#src/areas/memberships/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { backLink } from '../links.ts'
import { type AccountContext, owner } from '../parts.ts'
import { termsText } from '../recurring.ts'
import { pageLinks, readCursor } from '../turning.ts'
import { buildPath, type OwnSubscription } from './own.ts'
import { statusAbout, statusName } from './status.ts'

const { subscription: text } = texts.account.subscriptions

const item = (subscription: OwnSubscription, context: AccountContext): Html => {
  const { t, language } = context
  const { price } = subscription
  const [about] = statusAbout({ ...context, subscription }, undefined)
  return html`<li>
<a href="${buildPath(subscription)}"><bdi>${subscription.item.name}</bdi></a>
<span class="amount">${price === null ? t(text.free) : termsText(price, language)}</span>
<span class="quiet"><strong>${statusName({ ...context, subscription })}</strong>${about !== undefined && ` · ${about}`}</span>
</li>
`
}

/** GET /account/subscriptions: what a person pays again and again. */
export const subscriptionListPages = [
  page('GET /account/subscriptions', owner, async context => {
    const { t, call, frame, language } = context
    const query = [['limit', '20'], ...readCursor(context)] as const
    const returns = SubscriptionPage
    const { data, next_cursor: next } = await call({ operation: 'listAccountSubscriptions', query, returns })
    return frame({
      title: t(texts.words.yourSubscriptions),
      body: html`${
        data.length === 0
          ? html`<p>${t(text.none)}</p>
<p class="quiet">${t(text.noneAbout)}</p>
<p><a href="/courses">${t(texts.words.seeAllCourses)}</a></p>`
          : html`<ul class="list orders">
${data.map(one => item(one, context))}</ul>`
      }
${pageLinks(context, next, text)}
${backLink(language)}`,
    })
  }),
]
