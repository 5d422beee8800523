import type { ProviderDeclaration } from '#src/contract/payments.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { checkbox, hidden, lineControl, mainButton, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { isBroughtByConnecting, listUnset, type Provider } from './provider.ts'

const text = texts.staff.payments

/** The field of a secret in a form. */
export const secretField = (name: string): string => `secret.${name}`

const renderPermissions = ({ permissions }: ProviderDeclaration, { t }: StaffContext): Html =>
  permissions.length === 0
    ? html``
    : html`<p>${t(text.steps.permissions)}</p>
<ul>
${permissions.map(({ name, about }) => html`<li><strong>${name}</strong>: ${t(about)}</li>\n`)}</ul>
`

const renderWebhook = (declared: ProviderDeclaration, url: string, { t }: StaffContext): Html => {
  if (declared.events.length === 0) return html``
  const steps = html`<div class="field"><label for="webhook">${t(text.steps.address)}</label>
<input id="webhook" type="text" readonly value="${url}"></div>
<p>${t(text.steps.events)}</p>
<ul>
${declared.events.map(name => html`<li><code>${name}</code></li>\n`)}</ul>
`
  if (!declared.can.connects) return html`<p>${t(text.steps.webhook)}</p>\n${steps}`
  return html`<details><summary>${t(text.steps.byHand)}</summary>
<p>${t(text.steps.webhookConnects, { provider: t(declared.title) })}</p>
${steps}</details>`
}

/** What to do in the account at the provider, before anything is typed here. */
export const renderPreparation = (declared: ProviderDeclaration, url: string, context: StaffContext): Html => {
  if (declared.secrets.length === 0) return html``
  const { t } = context
  return html`<h2>${t(text.steps.there, { provider: t(declared.title) })}</h2>
<ul>
${declared.secrets.map(({ label, about }) => html`<li><strong>${t(label)}</strong>: ${t(about)}</li>\n`)}</ul>
${renderPermissions(declared, context)}${renderWebhook(declared, url, context)}`
}

const listErrors = (refusal: Refusal | undefined, { t }: StaffContext): ReadonlyMap<string, string> =>
  new Map(
    (refusal?.extras.errors ?? []).map(({ pointer, code }) => [
      secretField(pointer.replace('/secrets/', '')),
      t(code === 'required' ? text.steps.required : text.refusals['invalid_body secrets']),
    ]),
  )

/** The form of the secrets. None is ever shown; an empty field leaves what is stored. */
export const renderSecrets = (
  declared: ProviderDeclaration,
  stored: Provider | undefined,
  context: StaffContext,
  { refusal, other }: { readonly refusal: Refusal | undefined; readonly other: Provider['account'] | undefined },
): Html => {
  const { t, form } = context
  const label = stored === undefined ? t(text.add.provider, { provider: t(declared.title) }) : t(texts.words.save)
  if (declared.secrets.length === 0)
    return stored === undefined ? form(html`${hidden({ act: 'set' })}${mainButton(label)}`) : html``
  const state = { typed: [], errors: listErrors(refusal, context) }
  const describe = (secret: ProviderDeclaration['secrets'][number]): string => {
    const set = stored?.secrets.find(one => one.name === secret.name)
    if (set !== undefined) return t(text.steps.kept, { last4: set.last4 })
    return isBroughtByConnecting(declared, secret)
      ? t(text.steps.comes, { provider: t(declared.title) })
      : t(text.steps.empty)
  }
  return html`<h2>${t(text.steps.keys)}</h2>
${form(
  html`${hidden({ act: 'set' })}${declared.secrets.map(one =>
    lineControl(state, {
      name: secretField(one.name),
      id: one.name,
      label: t(one.label),
      hint: describe(one),
      attributes: html`type="password" autocomplete="off" maxlength="300"`,
    }),
  )}${other !== undefined && html`${checkbox('other_account', t(text.other.box), { isChecked: false })}\n`}${mainButton(label)}`,
)}`
}

const renderFindings = ({ check }: Provider, { t, day }: StaffContext): Html => {
  if (check === null) return html`<p>${t(text.check.never)}</p>`
  const at = t(text.check.at, { day: day(check.at) })
  if (check.findings.length === 0) return html`<p>${t(text.check.fine)} <span class="quiet">${at}</span></p>`
  return html`<p class="quiet">${at}</p>
<ul class="list">
${check.findings.map(
  ({ level, text: said, how }) =>
    html`<li><div><strong>${t(text.check.levels[level])}:</strong> ${t(said)}${how !== null && html`\n<span class="quiet line">${t(how)}</span>`}</div></li>\n`,
)}</ul>`
}

// While it is not connected, no message can come, and the check says so.
const renderHeard = (declared: ProviderDeclaration, stored: Provider, { t, day }: StaffContext): Html => {
  const { webhook } = stored
  if (webhook === null || webhook.events.length === 0 || listUnset(declared, stored).length > 0) return html``
  const provider = t(declared.title)
  const { heard_at: at } = webhook
  return html`<p class="quiet">${at === null ? t(text.check.silent, { provider }) : t(text.check.heard, { provider, day: day(at) })}</p>
`
}

// An endpoint that we made may be gone, or of the address that the school had before.
const isConnected = ({ webhook, check }: Provider): boolean =>
  webhook?.made_by_us === true &&
  check?.findings.some(({ code }) => code === 'webhook_missing' || code === 'webhook_other_mode') !== true

const renderConnect = (declared: ProviderDeclaration, stored: Provider, { t, form }: StaffContext): Html => {
  if (!declared.can.connects || isConnected(stored)) return html``
  const label = t(text.check.connect, { provider: t(declared.title) })
  const isNext = listUnset(declared, stored).some(one => isBroughtByConnecting(declared, one))
  return form(
    html`${hidden({ act: 'connect' })}<button${isNext && html` class="main"`} type="submit">${label}</button>`,
  )
}

/** The last check with its findings, and the buttons that connect and check. */
export const renderCheck = (declared: ProviderDeclaration, stored: Provider, context: StaffContext): Html => {
  const { t, form } = context
  return html`<h2>${t(text.check.title)}</h2>
${renderFindings(stored, context)}
${renderHeard(declared, stored, context)}<div class="buttons row">${renderConnect(declared, stored, context)}
${form(html`${hidden({ act: 'check' })}<button type="submit">${t(text.check.now)}</button>`)}</div>`
}

/** What the provider is used for. */
export const renderUse = ({ use }: Provider, typed: Pairs, { t, form }: StaffContext): Html => {
  const choices = (['everything', 'renewals', 'nothing'] as const).map(value => ({ value, label: t(text.uses[value]) }))
  return html`<h2>${t(text.use.title)}</h2>
<p class="quiet">${t(text.use.about)}</p>
${form(html`${hidden({ act: 'use' })}${select('use', t(text.use.label), formField(typed, 'use') || use, choices)}
<div class="buttons"><button type="submit">${t(texts.words.save)}</button></div>`)}`
}
