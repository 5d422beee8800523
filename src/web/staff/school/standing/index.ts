import { setTimeout as pause } from 'node:timers/promises'
import { Standing } from '#src/areas/console/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { factList, folded, form, mainButton, type Notice, page, readDone, redirect } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { readSteps, renderLater } from '../../home/guide.ts'
import { senderQuery } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { tileIcons } from './icons.ts'
import { type Group, listGroups, type Stood, type Tile } from './tiles.ts'

const text = texts.staff.standing
const MAIL = '/staff/settings/mail'

const readStanding = ({ call, parts }: StaffContext): Promise<Stood> =>
  call({ operation: 'getStanding', query: senderQuery(parts), returns: Standing })

const renderTile = ({ name, title, path, least = 'admin', state, about }: Tile, { t, viewer }: StaffContext): Html => {
  const isOpen = path !== undefined && isAtLeast(viewer.role, least)
  return html`<li class="tile"><div class="row">${tileIcons[name]}${state !== undefined && html`<span class="pill ${state.kind}">${state.name}</span>`}</div>
${isOpen ? html`<a href="${path}">${t(title)}</a>` : html`<strong>${t(title)}</strong>`}<small><bdi>${about}</bdi></small></li>
`
}

const renderGroup = ({ title, tiles }: Group, context: StaffContext): Html => html`<section class="stack s">
<h2>${context.t(title)}</h2>
<ul class="tiles">
${tiles.map(tile => renderTile(tile, context))}</ul>
</section>
`

const showOverview = async (context: StaffContext): Promise<Reply> => {
  const { t, parts, school, session } = context
  const waiting = await parts.confirmations.listPending(school, session.member.id)
  const groups = listGroups(await readStanding(context), waiting.length, context)
  return context.frame({
    title: t(texts.words.settings),
    lead: t(text.about),
    isWide: true,
    hasCards: true,
    body: html`<div class="stack">
${groups.map(group => renderGroup(group, context))}</div>`,
  })
}

// What somebody else has to do is put off.
const renderOpen = (name: 'mail' | 'domain', steps: Awaited<ReturnType<typeof readSteps>>, context: StaffContext) =>
  steps.some(({ step, state }) => step === name && state === 'open') && renderLater(name, context)

const describeTest = ({ mail: { test } }: Stood, { t, time }: StaffContext): string | undefined =>
  test === null
    ? undefined
    : [
        time(test.recorded_at),
        t(texts.staff.outbox.common.states[test.state]),
        ...(test.error === null ? [] : [test.error]),
      ].join(' · ')

// What is said after a test message, by what became of it.
const noticeTest = ({ mail: { test } }: Stood, { t, viewer: { email } }: StaffContext): Notice => {
  if (test?.state === 'sent') return { kind: 'done', text: t(text.mail.arrived, { email }) }
  if (test?.state === 'failed') return { kind: 'refused', text: t(text.mail.refused, { email }) }
  return { kind: 'done', text: t(test?.state === 'written' ? text.mail.inFile : text.mail.onItsWay, { email }) }
}

const TRIES = 25
const BETWEEN_TRIES_MS = 200

// A server answers within seconds, so that whoever sends a message learns with the next page whether it was accepted.
const sendTest = async (context: StaffContext): Promise<void> => {
  const readTest = async () => (await readStanding(context)).mail.test
  const before = await readTest()
  await context.call({ operation: 'sendTestMail' })
  for (let tries = 0; tries < TRIES; tries++) {
    const test = await readTest()
    if (test !== null && test.recorded_at !== before?.recorded_at && test.state !== 'waiting') return
    await pause(BETWEEN_TRIES_MS)
  }
}

// What sends the mails of the school, what became of them, and a message that tries it.
const showMail = async (context: StaffContext): Promise<Reply> => {
  const { t, parts, time, school, viewer, request } = context
  const { mailServer } = parts
  const [stood, steps] = await Promise.all([readStanding(context), readSteps(context)])
  const { accepted_at: accepted, is_accepted: isAccepted, sent, failed, last_failure: failure } = stood.mail
  const facts = factList([
    [t(text.mail.server), mailServer?.host ?? t(text.mail.none)],
    [t(text.mail.sender), mailServer?.from],
    [t(text.mail.accepted), mailServer && (isAccepted && accepted !== null ? time(accepted) : t(text.mail.never))],
    [t(text.mail.lastTest), describeTest(stood, context)],
    [t(text.mail.sent), `${sent}`],
    [t(text.mail.notDelivered), `${failed}`],
    [t(text.mail.lastFailure), failure === null ? undefined : [time(failure.at), failure.error ?? ''].join(' · ')],
  ])
  const isSent = readDone(request) === 'sent'
  return context.frame({
    title: t(text.mail.title),
    ...(isSent && { notice: noticeTest(stood, context), status: 200 }),
    body: html`${mailServer === undefined && html`<p class="note">${t(texts.staff.home.guide.missing.mail_server)}</p>\n${folded(t(text.forOperator), html`<p>${t(text.mail.settings)}</p>`)}`}
${isSent && stood.mail.test?.state === 'waiting' && html`<p><a class="button" href="${MAIL}?done=sent">${t(text.mail.again)}</a></p>\n`}${facts}
<p>${t(text.mail.try, { email: viewer.email })}</p>
${context.form(mainButton(t(text.mail.send)))}
<p class="quiet">${t(text.mail.replies, { school: school.name })}</p>
<p><a href="/staff/outbox">${t(text.mail.outbox)}</a></p>
${mailServer === undefined && renderOpen('mail', steps, context)}`,
  })
}

const showDomain = async (context: StaffContext): Promise<Reply> => {
  const { t, school } = context
  const [{ is_local: isLocal }, steps] = await Promise.all([readStanding(context), readSteps(context)])
  return context.frame({
    title: t(text.domain.title),
    body: html`${factList([
      [t(text.domain.address), school.siteOrigin],
      [t(text.domain.issuer), school.baseUrl === school.siteOrigin ? undefined : school.baseUrl],
      [t(text.domain.reach), t(isLocal ? text.domain.local : text.domain.public)],
    ])}
<p>${t(text.domain.fixed)}</p>
${
  isLocal &&
  folded(
    t(text.forOperator),
    html`<p>${t(text.domain.how)}</p>\n<pre><code>stoa schools create https://learn.example.org --owner-email you@example.org</code></pre>\n<p>${t(text.domain.records)}</p>`,
  )
}${renderOpen('domain', steps, context)}`,
  })
}

/** GET /staff/settings, and the pages of mail and address. */
export const standing: StaffSection = {
  pages: [
    page('GET /staff/settings', staff, showOverview),
    page(`GET ${MAIL}`, staff, showMail),
    form(`POST ${MAIL}`, staff, async context => {
      await sendTest(context)
      return redirect(`${MAIL}?done=sent`)
    }),
    page('GET /staff/settings/domain', staff, showDomain),
  ],
}
