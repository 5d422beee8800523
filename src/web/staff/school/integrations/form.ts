import type { Static } from 'typebox'
import type { Integration } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { scopeSections } from '#src/contract/scopes.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { checkbox, field, folded, textArea } from '#src/web/page/index.ts'
import { integrationsText as text } from './text.ts'

const words = texts.staff.integrations.form

/** An integration as pages get it. */
export type IntegrationShown = Encoded<Static<typeof Integration>>

/** What is typed in the form. */
export type Typed = {
  readonly name: string
  readonly uris: string
  readonly scopes: readonly string[]
  readonly isConfidential: boolean
}

/** An empty form. */
export const blank: Typed = { name: '', uris: '', scopes: [], isConfidential: true }

/** The form of an integration. */
export const buildTyped = ({ name, redirect_uris, scopes, is_confidential }: IntegrationShown): Typed => ({
  name,
  uris: redirect_uris.join('\n'),
  scopes,
  isConfidential: is_confidential,
})

/** A form that was sent. */
export const typedIn = (form: Pairs): Typed => ({
  name: formField(form, 'name').trim(),
  uris: formField(form, 'uris').replaceAll('\r\n', '\n'),
  scopes: form.filter(([name]) => name === 'scope').map(([, value]) => value),
  isConfidential: formField(form, 'confidential') === 'yes',
})

/** The settings that a form means, as the operations take them. */
export const readSettings = ({ name, uris, scopes }: Typed) => ({
  name,
  redirect_uris: uris.split(/\s+/).filter(uri => uri !== ''),
  scopes,
})

// Those of OpenID Connect, which no operation requires.
const IDENTITY: readonly (readonly [name: string, sentence: Phrase])[] = [
  ['openid', words.identity.knowWhoSomebodyIsAt],
  ['profile', words.identity.seeTheirNameLanguageAnd],
  ['email', words.identity.seeTheirEMailAddress],
  ['offline_access', words.identity.keepAccessWhileTheyAre],
]

const scopeNames = [
  ...IDENTITY,
  ...scopeSections.flatMap(({ scopes }) =>
    Object.entries(scopes).map(([name, { sentence }]) => [name, sentence] as const),
  ),
]

const scopeBoxes = ({ scopes }: Typed, language: Language): Html =>
  html`<p class="quiet">${fill(text.fields.scopesHint, language)}</p>
${scopeNames.map(([value, sentence]) => {
  const isChecked = scopes.includes(value)
  return checkbox('scope', fill(sentence, language), { isChecked, hint: value, id: `scope-${value}`, value })
})}`

/** The fields of an integration. */
export const integrationFields = (typed: Typed, language: Language): Html => {
  const { fields } = text
  const say = (phrase: Phrase): string => fill(phrase, language)
  return html`${field({
    name: 'name',
    label: say(texts.words.name),
    hint: say(fields.nameHint),
    value: typed.name,
    attributes: html`type="text" maxlength="64" required`,
  })}
${textArea({
  name: 'uris',
  label: say(fields.uris),
  hint: say(fields.urisHint),
  value: typed.uris,
  attributes: html`maxlength="3000" spellcheck="false" class="code"`,
})}
${folded(say(fields.scopes), scopeBoxes(typed, language), typed.scopes.length > 0)}`
}
