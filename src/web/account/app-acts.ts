import type { Static } from 'typebox'
import { AppActPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { type AccountContext, owner } from './parts.ts'
import { pageLinks, readCursor } from './turning.ts'

const { apps, appActs: text } = texts.account

const PATH = '/account/apps/activity'

type AppAct = Encoded<Static<typeof AppActPage>>['data'][number]

const item = (one: AppAct, { t, time, parts }: AccountContext): Html =>
  html`<li><span lang="en">${parts.summaries.get(one.operation) ?? one.operation}</span><br><span class="quiet"><bdi>${one.client_name || t(apps.unnamed)}</bdi> · <time datetime="${one.created_at}">${time(one.created_at)}</time></span></li>
`

/** GET /account/apps/activity: what apps did in the name of the person. */
export const appActsPages = [
  page(`GET ${PATH}`, owner, async context => {
    const { t, call, frame } = context
    const query = [['limit', '50'], ...readCursor(context)] as const
    const returns = AppActPage
    const { data, next_cursor: next } = await call({ operation: 'listAccountAppActs', query, returns })
    return frame({
      title: t(text.title),
      body: html`<p>${t(data.length === 0 ? text.none : text.about)}</p>
${data.length > 0 && html`<ul class="list">\n${data.map(one => item(one, context))}</ul>`}
${pageLinks(context, next, { older: texts.words.nextPage })}
<p class="quiet"><a href="/account/apps">${t(texts.words.connectedApps)}</a></p>`,
    })
  }),
]
