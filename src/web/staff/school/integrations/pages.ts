import type { Static } from 'typebox'
import type { IntegrationSecret } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, type Framed, formOf, framed, hidden, mainButton, timeOf } from '#src/web/page/index.ts'
import { downloadLinks } from '../../csv.ts'
import { checkbox, folded } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { type IntegrationShown, integrationFields, type Typed } from './form.ts'
import { integrationRefusals, integrationsText as text } from './text.ts'

const PATH = '/staff/integrations'

/** What every page of integrations has. */
export type Frame = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly done: string
  readonly refusal: Refusal | undefined
}

/** The address of the page of an app; its id may be an address itself. */
export const pathOf = (id: string): string => `${PATH}/app?${new URLSearchParams({ client_id: id })}`

const noticeOf = ({ refusal, done, language }: Frame): Pick<Framed, 'notice' | 'status'> => {
  if (refusal !== undefined) return refusedIn(refusal, language, integrationRefusals)
  return { notice: doneIn({ changed: text.changed, removed: text.remove.done }, done, language) }
}

const back = (language: Language): Html => html`<p class="quiet"><a href="${PATH}">${fill(text.back, language)}</a></p>`

const item = ({ client_id, name, is_confidential, removed_at }: IntegrationShown, language: Language): Html => {
  const state = removed_at === null ? (is_confidential ? text.secret : text.noSecret) : text.removed
  return html`<li><a href="${pathOf(client_id)}"><bdi>${name}</bdi></a><span class="quiet">${fill(state, language)}</span></li>
`
}

/** The apps that the school registered; those that were removed come last. */
export const listPage = (frame: Frame, all: readonly IntegrationShown[]): Reply => {
  const { language } = frame
  const sorted = [...all.filter(one => one.removed_at === null), ...all.filter(one => one.removed_at !== null)]
  return framed({
    school: frame.school,
    language,
    title: fill(text.title, language),
    ...noticeOf(frame),
    body: html`<p>${fill(text.intro, language)}</p>
<p><a class="button main" href="${PATH}/new">${fill(text.add, language)}</a></p>
${sorted.length === 0 ? html`<p>${fill(text.none, language)}</p>` : html`<ul class="list menu">\n${sorted.map(one => item(one, language))}</ul>`}
${sorted.length > 0 && downloadLinks('listIntegrations', frame)}`,
  })
}

/** The form of a new integration. */
export const newPage = (frame: Frame, typed: Typed): Reply => {
  const { language, token } = frame
  const { fields } = text
  const kind = checkbox('confidential', fill(fields.confidential, language), {
    isChecked: typed.isConfidential,
    hint: fill(fields.confidentialHint, language),
  })
  const inside = html`${integrationFields(typed, language)}${kind}${mainButton(fill(text.create, language))}`
  return framed({
    school: frame.school,
    language,
    title: fill(text.add, language),
    ...noticeOf(frame),
    body: html`${formOf(`${PATH}/new`, token, inside)}
${back(language)}`,
  })
}

const idsOf = (id: string, { school, language }: Frame): Html => html`<dl>
<dt>${fill(text.id, language)}</dt><dd><code class="copy">${id}</code></dd>
<dt>${fill(text.issuer, language)}</dt><dd><code class="copy">${school.baseUrl}</code></dd>
</dl>`

const secretForm = (id: string, { language, token }: Frame): Html => {
  const { rotate } = text
  const options = { isChecked: false, hint: fill(rotate.atOnceHint, language) }
  const inside = html`${hidden({ act: 'rotate', client_id: id })}<p class="quiet">${fill(rotate.about, language)}</p>
${checkbox('at_once', fill(rotate.atOnce, language), options)}
<div class="buttons"><button type="submit">${fill(rotate.button, language)}</button></div>`
  return folded(fill(rotate.title, language), formOf(pathOf(id), token, inside))
}

const removeForm = (id: string, { language, token }: Frame): Html => {
  const { remove } = text
  const inside = html`${hidden({ act: 'remove', client_id: id })}<p class="quiet">${fill(remove.about, language)}</p>
<div class="buttons"><button type="submit">${fill(remove.button, language)}</button></div>`
  return folded(fill(remove.title, language), formOf(pathOf(id), token, inside))
}

/** One integration with its settings, and what can be done with it. */
export const onePage = (frame: Frame, shown: IntegrationShown, typed: Typed): Reply => {
  const { language, token } = frame
  const { client_id: id, is_confidential, removed_at } = shown
  const settings = html`${hidden({ act: 'save', client_id: id })}${integrationFields(typed, language)}${mainButton(fill(text.save, language))}`
  const forms = html`${id.startsWith('https://') && html`<p>${fill(text.document, language)}</p>`}
${formOf(pathOf(id), token, settings)}
${is_confidential && secretForm(id, frame)}${removeForm(id, frame)}`
  return framed({
    school: frame.school,
    language,
    title: shown.name,
    ...noticeOf(frame),
    body: html`${idsOf(id, frame)}
${removed_at === null ? forms : html`<p class="note">${fill(text.isRemoved, language)}</p>`}
${back(language)}`,
  })
}

type Created = Encoded<Static<typeof IntegrationSecret>>

const previousOf = (
  { previous_secret_expires_at: ends }: Created,
  { language }: Frame,
  viewer: Session['member'],
  hasEnded: boolean,
): Html | undefined => {
  if (ends === null) return undefined
  if (hasEnded) return html`<p>${fill(text.previousEnded, language)}</p>`
  return html`<p>${fill(text.previousEnds, language, { time: timeOf(new Date(ends), language, viewer) })}</p>`
}

/** The page with a new secret, which is shown this once; `hasEnded` says that earlier ones ended with it. */
export const secretPage = (frame: Frame, created: Created, viewer: Session['member'], hasEnded = false): Reply => {
  const { language } = frame
  const { client_id: id, client_secret: secret } = created
  const secretOf = html`<div class="card">
<p>${fill(text.secretOnce, language)}</p>
<p><code class="copy">${secret ?? ''}</code></p>
${previousOf(created, frame, viewer, hasEnded)}
</div>`
  return framed({
    school: frame.school,
    language,
    title: fill(secret === null ? text.title : text.secretTitle, language),
    notice: { kind: 'done', text: fill(secret === null ? text.created : text.secretCreated, language) },
    body: html`${secret !== null && secretOf}
${idsOf(id, frame)}
<p><a class="button main" href="${pathOf(id)}">${fill(text.continue, language)}</a></p>`,
  })
}
