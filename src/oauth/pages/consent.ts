import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page, redirectingPageHeaders } from '#src/kit/html-page.ts'
import type { Offer } from '../authorize/choice.ts'
import { isDocumentId } from '../client-metadata/address.ts'
import { describeDestination, isOnDevice } from '../clients/redirect-uri.ts'
import { isWriting } from '../scopes.ts'
import { fill } from './fill.ts'
import { buildPath } from './people.ts'
import { peopleText } from './people-text.ts'
import { text } from './text.ts'

type ConsentView = {
  readonly school: School
  readonly language: Language
  readonly handle: string
  readonly token: string
  /** Whether the posted form was shown to another person, or before something changed. */
  readonly isStale: boolean
  readonly client: { readonly id: string; readonly name: string; readonly isPreRegistered: boolean }
  readonly redirectUri: string
  readonly person: { readonly name: string; readonly email: string; readonly emailVerified: boolean }
  readonly offers: readonly Offer[]
  /** Whether the app also requests to know who the person is, which needs no check box. */
  readonly isSignIn: boolean
  readonly lifeSeconds: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const formatDuration = (seconds: number, language: Language): string => {
  if (seconds < HOUR) return fill(text.after.minutes, language, { n: Math.round(seconds / MINUTE) })
  if (seconds < 2 * HOUR) return fill(text.afterHour, language)
  if (seconds < 3 * DAY) return fill(text.after.hours, language, { n: Math.round(seconds / HOUR) })
  return fill(text.after.days, language, { n: Math.round(seconds / DAY) })
}

const box = ({ scope, kind }: Offer, language: Language): Html => {
  const { name, sentence } = scope
  if (kind === 'offered') {
    return html`<div class="scope"><input type="checkbox" id="${name}" name="scope" value="${name}" checked><label for="${name}">${fill(sentence, language)} <span class="quiet">${name}</span></label></div>`
  }
  const why = fill(kind === 'not_available' ? text.notAvailable : text.notForRole, language)
  return html`<div class="scope"><span aria-hidden="true">–</span><div>${fill(sentence, language)} <span class="quiet">${name} · ${why}</span></div></div>`
}

const group = (title: string, list: readonly Offer[], language: Language): Html | undefined =>
  list.length === 0
    ? undefined
    : html`<fieldset><legend>${title}</legend>${list.map(offer => box(offer, language))}</fieldset>`

// Who vouches for the identity of the app: the host of its document, the school, or nobody.
const voucher = ({ client, language }: ConsentView): string => {
  if (client.isPreRegistered) return fill(text.verified, language)
  if (!isDocumentId(client.id)) return fill(text.notVerified, language)
  return fill(text.vouchedFor, language, { host: new URL(client.id).host })
}

const isOnThisComputer = ({ redirectUri }: ConsentView): boolean => isOnDevice(redirectUri)

const facts = (view: ConsentView, client: string): Html => {
  const { language } = view
  const host = describeDestination(view.redirectUri)
  const target = isOnThisComputer(view) ? text.thisComputer : text.site
  return html`<dl>
<dt>${fill(text.school, language)}</dt><dd><bdi>${view.school.name}</bdi> (${new URL(view.school.siteOrigin).host})</dd>
<dt>${fill(text.signedInAs, language)}</dt><dd><bdi>${view.person.name}</bdi> (<bdi>${view.person.email}</bdi>)</dd>
<dt>${fill(text.app, language)}</dt><dd><bdi>${client}</bdi> <strong>(${voucher(view)})</strong></dd>
<dt>${fill(text.goesTo, language)}</dt><dd>${fill(target, language, { host })}</dd>
<dt>${fill(text.until, language)}</dt><dd>${formatDuration(view.lifeSeconds, language)}</dd>
</dl>`
}

const offeredIn = ({ offers }: ConsentView): readonly Offer[] => offers.filter(({ kind }) => kind === 'offered')

const canApprove = (view: ConsentView): boolean => view.isSignIn || offeredIn(view).length > 0

const buttons = (view: ConsentView): Html => {
  const { language } = view
  const offered = offeredIn(view)
  const mixed =
    offered.some(({ scope }) => isWriting(scope.name)) && offered.some(({ scope }) => !isWriting(scope.name))
  return html`<div class="buttons">
${canApprove(view) && html`<button class="main" type="submit" name="decision" value="approve">${fill(text.approve, language)}</button>`}
${mixed && html`<button type="submit" name="decision" value="approve_read">${fill(text.approveRead, language)}</button>`}
<button type="submit" name="decision" value="deny">${fill(text.deny, language)}</button>
</div>`
}

/** The consent page: which app requests which scopes for which account, until when, and the choices of the person. */
export const consentPage = (view: ConsentView): Reply => {
  const { language, offers } = view
  const client = view.client.name === '' ? fill(text.unnamed, language) : view.client.name
  const title = fill(text.consentTitle, language, { client })
  const reads = offers.filter(({ scope }) => !isWriting(scope.name))
  const writes = offers.filter(({ scope }) => isWriting(scope.name))
  const body = html`<h1>${title}</h1>
${view.isStale && html`<p class="note" role="alert" id="complaint">${fill(text.stale, language)}</p>`}
${facts(view, client)}
<p class="note">${fill(isOnThisComputer(view) ? text.warning : text.siteWarning, language)}</p>
<form method="post" action="/oauth/authorize/consent">
<input type="hidden" name="request" value="${view.handle}">
<input type="hidden" name="token" value="${view.token}">
${offers.length === 0 && html`<p>${fill(text.onlyIdentity, language)}</p>`}
${!canApprove(view) && html`<p class="note" role="alert">${fill(text.nothingPossible, language)}</p>`}
${group(fill(text.reads, language), reads, language)}
${group(fill(text.writes, language), writes, language)}
${buttons(view)}
</form>
<p class="quiet"><a href="/oauth/authorize/sign-in?request=${view.handle}&again=1">${fill(text.otherPerson, language)}</a></p>
${!view.person.emailVerified && html`<p class="quiet"><a href="${buildPath('verify', view.handle)}">${fill(peopleText.verifyOffer, language)}</a></p>`}`
  return {
    status: view.isStale ? 409 : 200,
    headers: redirectingPageHeaders,
    body: page({ lang: language, title, brand: { name: view.school.name, look: view.school.look }, body }),
  }
}
