import { isAtLeast } from '#src/contract/caller.ts'
import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, page, readDone } from '#src/web/page/index.ts'
import { readDeletion } from './deletion.ts'
import { coursesPart, learningTiles, personTiles, readHome, type Tile, tileList, waitingTiles } from './home.ts'
import { passwordOffer, waitingList } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { home, text } = texts.account
const { parts } = text

const workTiles = ({ t, viewer: { role } }: AccountContext): readonly Tile[] => {
  if (isAtLeast(role, 'admin')) return [['/staff', t(parts.staff), t(parts.staffAbout)]]
  return role === 'lecturer' ? [['/staff/teaching', t(texts.words.teaching), t(parts.teachingAbout)]] : []
}

const waitingCard = (waiting: readonly ConfirmationDetails[], { t, language }: AccountContext): Html | false =>
  waiting.length > 0 &&
  html`<section class="card">
<h2>${t(text.waiting)}</h2>
${waitingList(waiting, language)}
</section>`

const deletionNote = (due: string | null, { t, day }: AccountContext): Html | false =>
  due !== null && html`<p class="note"><a href="/account/deletion">${t(text.deletionDue, { day: day(due) })}</a></p>`

const group = (name: string, tiles: readonly Tile[]): Html | false =>
  tiles.length > 0 && html`<h2>${name}</h2>\n${tileList(tiles)}`

/** GET /account: what the person was doing, what waits for them, and tiles that say what is behind them. */
export const accountPages = [
  page('GET /account', owner, async context => {
    const { t, form, frame, request, school, viewer, parts: given, language } = context
    const { due_at: due } = await readDeletion(context)
    const approvals = await given.confirmations.listPending(school, viewer.id)
    const read = await readHome(context)
    const waiting = waitingTiles(read, context)
    const signOut = html`<div class="buttons"><button type="submit">${t(texts.words.signOut)}</button></div>`
    const profile = html`<a class="button small" href="/account/profile">${t(home.editProfile)}</a>`
    const unproven = html` <span>(${t(texts.words.states.notConfirmedYet)})</span>`
    return frame({
      title: t(home.hello, { name: viewer.name }),
      isWide: true,
      notice: doneIn(text.done, readDone(request), language),
      body: html`<div class="account">
<p class="account-head quiet"><span><bdi>${viewer.email}</bdi>${!viewer.emailVerified && unproven}</span> ${profile}</p>
${deletionNote(due, context)}
${waitingCard(approvals, context)}
${!read.hasPassword && viewer.role !== 'member' && passwordOffer(viewer, language)}${waiting.length > 0 && tileList(waiting, true)}${group(t(texts.words.yourWork), workTiles(context))}${coursesPart(read, context)}
${group(t(home.everythingElse), [...learningTiles(read, context), ...personTiles(read, context)])}
${form(signOut, '/account/sign-out')}
</div>`,
    })
  }),
]
