import type { Static } from 'typebox'
import type { PaymentProvider, ProviderName } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { showIban } from '#src/kit/iban.ts'
import { backLink } from '#src/web/account/index.ts'
import { doneIn, type Framed, formOf, framed, mainButton } from '#src/web/page/index.ts'
import { staffLink } from '../../pages/link.ts'
import { paymentsText as text } from './text.ts'

type Provider = Encoded<Static<typeof PaymentProvider>>

// What the page of payment providers shows.
type PaymentsView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly providers: readonly Provider[]
  /** Whether test payments are allowed in this school. */
  readonly allowsTest: boolean
  readonly done: string
  readonly refusal: Refusal | undefined
}

const PATH = '/staff/payments'

// Of several errors the first one is shown.
const phraseOf = ({ problem, extras }: Refusal): Phrase => {
  const phrases: Readonly<Record<string, Phrase>> = text.refusals
  const field = extras.errors?.[0]?.pointer.slice(1) ?? ''
  return phrases[field] ?? phrases[problem.code] ?? { en: problem.title, pt: problem.title }
}

const noticeOf = ({ refusal, done, language }: PaymentsView): Pick<Framed, 'notice' | 'status'> =>
  refusal === undefined
    ? { notice: doneIn(text.done, done, language) }
    : { notice: { kind: 'refused', text: fill(phraseOf(refusal), language) }, status: refusal.problem.status }

const secretsOf = ({ name, secret_key, webhook_secret }: Provider, language: Language): string[] => {
  if (name !== 'stripe') return []
  return [
    secret_key === null ? fill(text.noSecretKey, language) : fill(text.secretKey, language, secret_key),
    webhook_secret === null ? fill(text.noWebhookSecret, language) : fill(text.webhookSecret, language, webhook_secret),
    fill(text.notYet, language),
  ]
}

const buttonFor = (act: 'set' | 'remove', name: ProviderName, label: string, about: string): Html =>
  html`<input type="hidden" name="act" value="${act}"><input type="hidden" name="provider" value="${name}">
<button type="submit"${act === 'remove' && html` class="small"`} aria-label="${label}: ${about}">${label}</button>`

const itemOf = (provider: Provider, { language, token }: PaymentsView): Html => {
  const { name, mode } = provider
  const title = fill(text.names[name], language)
  const lines = [...(mode === null ? [] : [fill(text.modes[mode], language)]), ...secretsOf(provider, language)]
  return html`<li class="act"><div><strong>${title}</strong>
${lines.map(line => html`<span class="quiet line">${line}</span>\n`)}</div>${formOf(PATH, token, buttonFor('remove', name, fill(text.remove, language), title))}</li>
`
}

const instructionsForm = ({ language, token, providers }: PaymentsView): Html | undefined => {
  const manual = providers.find(({ name }) => name === 'manual')
  if (manual === undefined) return undefined
  const {
    account_holder: holder,
    iban,
    text: more,
  } = manual.instructions ?? { account_holder: null, iban: null, text: null }
  const inside = html`<input type="hidden" name="act" value="set"><input type="hidden" name="provider" value="manual"><input type="hidden" name="instructions" value="1">
<label for="account_holder">${fill(text.add.accountHolder, language)}</label>
<input id="account_holder" name="account_holder" type="text" maxlength="120" value="${holder ?? ''}">
<label for="iban">${fill(text.add.iban, language)}</label>
<input id="iban" name="iban" type="text" maxlength="42" autocomplete="off" spellcheck="false" value="${iban === null ? '' : showIban(iban)}">
<label for="text">${fill(text.add.text, language)}</label>
<textarea id="text" name="text" maxlength="2000" rows="4">
${more ?? ''}</textarea>
${mainButton(fill(text.add.save, language))}`
  return html`<h2>${fill(text.add.instructions, language)}</h2>
<p class="quiet">${fill(text.add.instructionsAbout, language)}</p>
${formOf(PATH, token, inside)}`
}

const addForm = ({ language, token, providers }: PaymentsView, name: 'manual' | 'test'): Html | undefined => {
  if (providers.some(provider => provider.name === name)) return undefined
  const label = fill(text.add[name], language)
  const title = fill(text.names[name], language)
  return html`<section class="card">
<h2>${title}</h2>
<p class="quiet">${fill(text.add[`${name}About`], language)}</p>
${formOf(PATH, token, buttonFor('set', name, label, title))}
</section>`
}

/** The page on which owners set the payment providers of the school. */
export const paymentsPage = (view: PaymentsView): Reply => {
  const { language, providers, allowsTest } = view
  const list = html`<ul class="list">
${providers.map(provider => itemOf(provider, view))}</ul>`
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    ...noticeOf(view),
    body: html`<p>${fill(text.intro, language)}</p>
${providers.length === 0 ? html`<p>${fill(text.none, language)}</p>` : list}
${addForm(view, 'manual')}
${instructionsForm(view)}
${allowsTest && addForm(view, 'test')}
${staffLink(language)}`,
  })
}

/** The page for staff who are not owners. */
export const ownersOnlyPage = (school: School, language: Language): Reply =>
  framed({
    school,
    language,
    status: 403,
    title: fill(text.title, language),
    body: html`<p>${fill(text.ownersOnly, language)}</p>
${backLink(language)}`,
  })
