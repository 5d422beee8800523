import type { Static } from 'typebox'
import { type PaymentProvider, PaymentProviders, paymentMode } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import {
  findDeclaredProvider,
  findProviderTitle,
  isKnownProvider,
  listDeclaredProviders,
} from '#src/contract/payment-providers.ts'
import type { ProviderDeclaration } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { showIban } from '#src/kit/iban.ts'
import { texts } from '#src/texts/index.ts'
import { backLink } from '#src/web/account/index.ts'
import {
  doneIn,
  field,
  fieldsFor,
  folded,
  form,
  hidden,
  mainButton,
  noticeFor,
  optionalLine,
  optionalText,
  page,
  readDone,
  shownAgain,
} from '#src/web/page/index.ts'
import { recentStaff, type StaffContext, staff } from '../../audience.ts'
import { staffLink } from '../../pages/link.ts'
import type { StaffSection } from '../../section.ts'

const text = texts.staff.payments

const PATH = '/staff/payments'

type Provider = Encoded<Static<typeof PaymentProvider>>

// What buyers are told; an empty field is left out of it.
const instructionFields = fieldsFor<NonNullable<Provider['instructions']>>()(text.fields, {
  account_holder: optionalLine({ most: 120 }),
  iban: optionalLine({ most: 42 }),
  text: optionalText({ most: 2000, rows: 4 }),
})

const secretField = (name: string): string => `secret.${name}`

// An empty field leaves the secret as it is.
const readSecrets = (typed: Pairs, { secrets }: ProviderDeclaration): Record<string, string> =>
  Object.fromEntries(
    secrets
      .map(({ name }) => [name, formField(typed, secretField(name)).trim()] as const)
      .filter(([, value]) => value !== ''),
  )

const callFor = (typed: Pairs, context: StaffContext): PageCall<undefined> => {
  const provider = formField(typed, 'provider')
  const act = formField(typed, 'act')
  if (!isKnownProvider(provider) || (act !== 'set' && act !== 'remove'))
    throw new Refusal(formRefused, 'The form has no valid provider or action.')
  const params = { provider }
  if (act === 'remove') return { operation: 'removePaymentProvider', params }
  const declared = findDeclaredProvider(provider)
  if (declared !== undefined)
    return { operation: 'setPaymentProvider', params, body: { secrets: readSecrets(typed, declared) } }
  const hasInstructions = formField(typed, 'instructions') !== ''
  const body = hasInstructions ? { instructions: instructionFields.body(typed, context) } : {}
  return { operation: 'setPaymentProvider', params, body }
}

const renderButton = (act: 'set' | 'remove', provider: string, label: string, { t, form }: StaffContext): Html =>
  form(
    html`${hidden({ act, provider })}<button type="submit"${act === 'remove' && html` class="small"`} aria-label="${label}: ${t(findProviderTitle(provider))}">${label}</button>`,
  )

const renderSecrets = (
  { name: provider, secrets }: ProviderDeclaration,
  label: string,
  { t, form }: StaffContext,
): Html =>
  form(html`${hidden({ act: 'set', provider })}${secrets.map(
    one =>
      html`${field({
        name: secretField(one.name),
        id: `${provider}-${one.name}`,
        label: t(one.label),
        value: '',
        hint: t(one.about),
        attributes: html`type="password" autocomplete="off" maxlength="300"`,
      })}\n`,
  )}
${mainButton(label)}`)

const describeSecrets = ({ name, secrets }: Provider, { t }: StaffContext): string[] =>
  (findDeclaredProvider(name)?.secrets ?? []).flatMap(({ name, label, required }) => {
    const set = secrets.find(one => one.name === name)
    if (set !== undefined) return [t(text.secret, { label: t(label), last4: set.last4 })]
    return required === 'no' ? [] : [t(text.noSecret, { label: t(label) })]
  })

const renderProvider = (provider: Provider, context: StaffContext): Html => {
  const { t } = context
  const { name, mode } = provider
  const lines = [...(mode === null ? [] : [t(text.modes[mode])]), ...describeSecrets(provider, context)]
  const declared = findDeclaredProvider(name)
  return html`<li class="act"><div><strong>${t(findProviderTitle(name))}</strong>
${lines.map(line => html`<span class="quiet line">${line}</span>\n`)}${
  declared !== undefined &&
  declared.secrets.length > 0 &&
  folded(t(text.add.replace), renderSecrets(declared, t(texts.words.save), context))
}</div>${renderButton('remove', name, t(texts.words.remove), context)}</li>
`
}

const renderInstructions = ({ instructions }: Provider, context: StaffContext): Html => {
  const { t, language, form } = context
  const iban = instructions?.iban ?? null
  const typed = instructionFields.pairs({ ...instructions, iban: iban === null ? null : showIban(iban) }, context)
  return html`<h2>${t(text.add.instructions)}</h2>
<p class="quiet">${t(text.add.instructionsAbout)}</p>
${form(html`${hidden({ act: 'set', provider: 'manual', instructions: '1' })}${instructionFields.rows({ language, typed }, ['account_holder', 'iban', 'text'])}
${mainButton(t(texts.words.save))}`)}`
}

const renderManual = (context: StaffContext): Html => {
  const { t } = context
  return html`<section class="card">
<h2>${t(findProviderTitle('manual'))}</h2>
<p class="quiet">${t(text.add.manualAbout)}</p>
${renderButton('set', 'manual', t(text.add.manual), context)}
</section>`
}

const renderAdding = (declared: ProviderDeclaration, context: StaffContext): Html => {
  const { t } = context
  const label = t(text.add.provider, { provider: t(declared.title) })
  return html`<section class="card">
<h2>${t(declared.title)}</h2>
<p class="quiet">${t(text.add.providerAbout)}</p>
${declared.secrets.length === 0 ? renderButton('set', declared.name, label, context) : renderSecrets(declared, label, context)}
</section>
`
}

// Those that are not set, and do not say by themselves that they are for schools of the other kind.
const listAddable = (providers: readonly Provider[], { request: { school } }: StaffContext): ProviderDeclaration[] =>
  listDeclaredProviders().filter(
    ({ name, modeOf }) =>
      providers.every(one => one.name !== name) && (modeOf({}) ?? paymentMode(school)) === paymentMode(school),
  )

const show = async (context: StaffContext, refusal?: Refusal): Promise<Reply> => {
  const { t, call, language, request } = context
  const { data: providers } = await call({ operation: 'getPaymentProviders', returns: PaymentProviders })
  const manual = providers.find(({ name }) => name === 'manual')
  return context.frame({
    title: t(texts.words.payments),
    ...(refusal === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(refusal, language, { said: text.refusals })),
    body: html`<p>${t(text.intro)}</p>
${providers.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list">\n${providers.map(one => renderProvider(one, context))}</ul>`}
${manual === undefined ? renderManual(context) : renderInstructions(manual, context)}
${listAddable(providers, context).map(one => renderAdding(one, context))}${staffLink(language)}`,
  })
}

const submit = (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const call = callFor(typed, context)
  return shownAgain(
    async () => {
      await context.call(call)
      return `${PATH}?done=${call.operation === 'removePaymentProvider' ? 'removed' : 'set'}`
    },
    refusal => show(context, refusal),
    // Somebody else removed the provider meanwhile.
    ({ problem }) => problem.status === 404,
  )
}

const orOwnersOnly = async (context: StaffContext, work: () => Promise<Reply>): Promise<Reply> => {
  if (context.session.member.role === 'owner') return work()
  const { t, language } = context
  return context.frame({
    status: 403,
    title: t(texts.words.payments),
    body: html`<p>${t(text.ownersOnly)}</p>
${backLink(language)}`,
  })
}

/** GET and POST /staff/payments. */
export const payments: StaffSection = {
  entries: [{ path: PATH, name: texts.words.payments, about: text.about, least: 'owner' }],
  pages: [
    page(`GET ${PATH}`, recentStaff, context => orOwnersOnly(context, () => show(context))),
    form(`POST ${PATH}`, staff, (context, typed) => orOwnersOnly(context, () => submit(context, typed))),
  ],
}
