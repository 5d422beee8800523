import { listMemberWebhooks } from '#src/areas/apps/index.ts'
import { accessEnded } from '#src/contract/access-ended.ts'
import type { Db } from '#src/contract/db.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type ConnectedApp, endEveryApp, listApps, withdrawApp } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { choiceButton, doneIn, form, hidden, isRowId, page, readDone, redirect } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { apps: text } = texts.account

const PATH = '/account/apps'

const describeVoucher = ({ client_id: id, is_pre_registered }: ConnectedApp, { t }: AccountContext): string => {
  if (is_pre_registered) return t(texts.words.verifiedBySchool)
  // The id of a client with a metadata document is the address of the document.
  if (!id.startsWith('https://')) return t(text.notVerified)
  return t(text.vouchedFor, { host: new URL(id).host })
}

// In the order of the consent page; scopes that only affect how the app signs in have no text.
const listSentences = (app: ConnectedApp, { parts, t }: AccountContext): string[] =>
  [...parts.scopes].filter(([name]) => app.scopes.includes(name)).map(([, { sentence }]) => t(sentence))

const formatTimes = (app: ConnectedApp, { t, day }: AccountContext): string =>
  [
    t(text.since, { day: day(app.connected_at) }),
    t(text.used, { day: day(app.last_used_at) }),
    t(text.until, { day: day(app.expires_at) }),
  ].join(' · ')

type Webhook = Awaited<ReturnType<typeof listMemberWebhooks>>[number]

// The host alone, since an address may have a secret in it.
const webhookList = (webhooks: readonly Webhook[], { t }: AccountContext): Html => {
  const { statuses } = texts.staff.webhooks.common
  const lines = webhooks.map(({ url, status }) =>
    t(text.webhook, { host: new URL(url).host, status: t(statuses[status]) }),
  )
  return html`<ul>
${[...new Set(lines)].map(line => html`<li>${line}</li>\n`)}</ul>
`
}

const nameApp = ({ name }: ConnectedApp, { t }: AccountContext): string => (name === '' ? t(text.unnamed) : name)

const card = (app: ConnectedApp, webhooks: readonly Webhook[], context: AccountContext): Html => {
  const { t, form } = context
  const own = webhooks.filter(one => one.client_id === app.client_id)
  const name = nameApp(app, context)
  return html`<section class="card">
<h2><bdi>${name}</bdi></h2>
<p class="quiet">${describeVoucher(app, context)}</p>
<p>${t(text.may)}:</p>
<ul>
${listSentences(app, context).map(sentence => html`<li>${sentence}</li>\n`)}</ul>
${own.length > 0 && webhookList(own, context)}<p class="quiet">${formatTimes(app, context)}</p>
${form(choiceButton('app', app.id, t(text.disconnect), name))}
</section>
`
}

const allPart = ({ t, form }: AccountContext): Html => html`<h2>${t(text.allTitle)}</h2>
<p>${t(text.allIntro)}</p>
${form(choiceButton('app', 'all', t(text.all)))}`

const readApps = ({ request, school, person }: AccountContext) => {
  const memberId = person.member.id
  return request.database.statements(school.id, db =>
    Promise.all([listApps(db, school.id, memberId), listMemberWebhooks(db, school.id, memberId)]),
  )
}

const CONFIRMED = 'yes'

// What the school loses with these apps; undefined where none of them is sent what happens there.
const askAbout = async (chosen: string, context: AccountContext): Promise<Reply | undefined> => {
  const { t, frame, form } = context
  const [apps, webhooks] = await readApps(context)
  const ended = apps.filter(({ id }) => chosen === 'all' || id === chosen)
  const sent = webhooks.filter(
    ({ client_id, status }) => status !== 'disabled' && ended.some(app => app.client_id === client_id),
  )
  const [first] = ended
  if (sent.length === 0 || first === undefined) return undefined
  const isAll = chosen === 'all'
  const hosts = [...new Set(sent.map(({ url }) => new URL(url).host))]
  const button = isAll ? t(text.all) : t(text.disconnect)
  return frame({
    title: isAll ? t(text.question.titleAll) : t(text.question.title, { name: nameApp(first, context) }),
    body: html`<ul class="effects">
<li>${t(isAll ? text.question.accessAll : text.question.access)}</li>
${hosts.map(host => html`<li>${t(text.question.webhook, { host })}</li>\n`)}<li>${t(text.question.later)}</li>
</ul>
${form(html`${hidden({ app: chosen, confirmed: CONFIRMED })}<div class="buttons"><a class="button" href="${PATH}">${t(text.question.keep)}</a>
<button class="main bad" type="submit">${button}</button></div>`)}`,
  })
}

/** GET and POST /account/apps: the connected apps of a person, what each may do, and a button to disconnect it, which asks first where what happens in the school is sent to it. */
export const appsPages = [
  page(`GET ${PATH}`, owner, async context => {
    const { t, frame, request, language } = context
    const [apps, webhooks] = await readApps(context)
    return frame({
      title: t(texts.words.connectedApps),
      notice: doneIn(text.done, readDone(request), language),
      body: html`<p>${t(apps.length === 0 ? text.none : text.intro)}</p>
${apps.map(app => card(app, webhooks, context))}${apps.length > 1 && allPart(context)}
<p class="quiet"><a href="/account/apps/activity">${t(texts.account.appActs.title)}</a></p>
${backLink(language)}`,
    })
  }),
  form(`POST ${PATH}`, owner, async (context, typed) => {
    const { request, school, person } = context
    const { database } = request
    const app = formField(typed, 'app')
    const memberId = person.member.id
    if (app !== 'all' && !isRowId(app)) return redirect(PATH)
    const question = formField(typed, 'confirmed') === CONFIRMED ? undefined : await askAbout(app, context)
    if (question !== undefined) return question
    // What apps have in the name of the person ends with their access.
    const endAccess = async (db: Db, now: Date, clients: ReadonlySet<string>): Promise<void> => {
      for (const clientId of clients) await accessEnded.call({ memberId, clientId, now }, { db, school })
    }
    if (app === 'all') {
      await database.transaction(school.id, async (db, now) => {
        await endEveryApp(db, school.id, memberId, now)
        const webhooks = await listMemberWebhooks(db, school.id, memberId)
        await endAccess(db, now, new Set(webhooks.flatMap(({ client_id: id }) => (id === null ? [] : [id]))))
      })
      return redirect(`${PATH}?done=all`)
    }
    const ended = await database.transaction(school.id, async (db, now) => {
      const one = await withdrawApp(db, school.id, memberId, app, now)
      if (one !== undefined) await endAccess(db, now, new Set([one.client_id]))
      return one
    })
    return redirect(ended === undefined ? PATH : `${PATH}?done=app`)
  }),
]
