import type { Static } from 'typebox'
import {
  type PaymentProvider,
  PaymentProviders,
  type ProviderName,
  paymentMode,
  providerNames,
} from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { showIban } from '#src/kit/iban.ts'
import { texts } from '#src/texts/index.ts'
import { backLink } from '#src/web/account/index.ts'
import {
  doneIn,
  fieldsFor,
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

const callFor = (typed: Pairs, context: StaffContext): PageCall<undefined> => {
  const provider = providerNames.find(name => name === formField(typed, 'provider'))
  const act = formField(typed, 'act')
  if (provider === undefined || (act !== 'set' && act !== 'remove'))
    throw new Refusal(formRefused, 'The form has no valid provider or action.')
  const params = { provider }
  if (act === 'remove') return { operation: 'removePaymentProvider', params }
  // The page offers what works.
  if (provider === 'stripe') throw new Refusal(formRefused, 'Payments by card are not possible yet.')
  const hasInstructions = formField(typed, 'instructions') !== ''
  const body = hasInstructions ? { instructions: instructionFields.body(typed, context) } : {}
  return { operation: 'setPaymentProvider', params, body }
}

const renderButton = (act: 'set' | 'remove', provider: ProviderName, label: string, { t, form }: StaffContext): Html =>
  form(
    html`${hidden({ act, provider })}<button type="submit"${act === 'remove' && html` class="small"`} aria-label="${label}: ${t(text.names[provider])}">${label}</button>`,
  )

const renderProvider = ({ name, mode, secret_key, webhook_secret }: Provider, context: StaffContext): Html => {
  const { t } = context
  const lines = [
    ...(mode === null ? [] : [t(text.modes[mode])]),
    ...(name === 'stripe'
      ? [
          secret_key === null ? t(text.noSecretKey) : t(text.secretKey, secret_key),
          webhook_secret === null ? t(text.noWebhookSecret) : t(text.webhookSecret, webhook_secret),
          t(text.notYet),
        ]
      : []),
  ]
  return html`<li class="act"><div><strong>${t(text.names[name])}</strong>
${lines.map(line => html`<span class="quiet line">${line}</span>\n`)}</div>${renderButton('remove', name, t(texts.words.remove), context)}</li>
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

const renderAdding = (name: 'manual' | 'test', context: StaffContext): Html => {
  const { t } = context
  return html`<section class="card">
<h2>${t(text.names[name])}</h2>
<p class="quiet">${t(text.add[`${name}About`])}</p>
${renderButton('set', name, t(text.add[name]), context)}
</section>`
}

const show = async (context: StaffContext, refusal?: Refusal): Promise<Reply> => {
  const { t, call, language, request } = context
  const { data: providers } = await call({ operation: 'getPaymentProviders', returns: PaymentProviders })
  const manual = providers.find(({ name }) => name === 'manual')
  const offersTest = paymentMode(request.school) === 'test' && providers.every(({ name }) => name !== 'test')
  return context.frame({
    title: t(texts.words.payments),
    ...(refusal === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(refusal, language, { said: text.refusals })),
    body: html`<p>${t(text.intro)}</p>
${providers.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list">\n${providers.map(one => renderProvider(one, context))}</ul>`}
${manual === undefined ? renderAdding('manual', context) : renderInstructions(manual, context)}
${offersTest && renderAdding('test', context)}
${staffLink(language)}`,
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
