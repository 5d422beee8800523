import { PaymentProvider, paymentMode, providerUnavailable } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import type { ProviderDeclaration } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, shownAgain } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { instructionFields, renderInstructions } from './instructions.ts'
import {
  isBroughtByConnecting,
  isTestOnly,
  listCounts,
  listUnset,
  type Named,
  type Provider,
  providerPath,
  readNamed,
} from './provider.ts'
import { renderCheck, renderPreparation, renderSecrets, renderUse, secretField } from './steps.ts'

const text = texts.staff.payments

// An empty field leaves the secret as it is.
const readSecrets = (typed: Pairs, { secrets }: ProviderDeclaration): Record<string, string> =>
  Object.fromEntries(
    secrets
      .map(({ name }) => [name, formField(typed, secretField(name)).trim()] as const)
      .filter(([, value]) => value !== ''),
  )

const callSet = ({ name, declared }: Named, typed: Pairs, context: StaffContext): PageCall<undefined> => {
  const params = { provider: name }
  const body =
    declared === undefined
      ? { instructions: instructionFields.body(typed, context) }
      : { secrets: readSecrets(typed, declared) }
  return { operation: 'setPaymentProvider', params, body }
}

// What was done, as the query of the page says it afterwards.
type Act = readonly [done: string, call: (named: Named, typed: Pairs, context: StaffContext) => PageCall<undefined>]

const acts: Readonly<Record<'set' | 'check' | 'connect' | 'use', Act>> = {
  set: ['set', callSet],
  check: ['checked', ({ name }) => ({ operation: 'checkPaymentProvider', params: { provider: name }, body: {} })],
  connect: ['connected', ({ name }) => ({ operation: 'connectPaymentProvider', params: { provider: name } })],
  use: [
    'used',
    ({ name }, typed) => ({
      operation: 'setProviderUse',
      params: { provider: name },
      body: { use: formField(typed, 'use') },
    }),
  ],
}

// The account of the keys that were typed, where it is another than that of the keys before and the owner did not say so.
const findOtherAccount = async ({ name, declared, stored }: Named, typed: Pairs, { call }: StaffContext) => {
  const before = stored?.account?.id
  const secrets = declared === undefined ? {} : readSecrets(typed, declared)
  const isChanged = declared?.secrets.some(one => one.required === 'charge' && secrets[one.name] !== undefined)
  if (before === undefined || isChanged !== true || formField(typed, 'other_account') === 'yes') return undefined
  const params = { provider: name }
  const tried = await orRefused(
    call({ operation: 'checkPaymentProvider', params, body: { secrets }, returns: PaymentProvider }),
  )
  const account = tried?.account ?? undefined
  return account?.id === before ? undefined : account
}

type Account = NonNullable<Provider['account']>

// Without an answer nothing is known, and what was asked for goes on.
const orRefused = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type Shown = {
  readonly refusal?: Refusal | undefined
  readonly typed?: Pairs | undefined
  /** The account of the keys that were typed, which is another one. */
  readonly other?: Account | undefined
}

const renderDeclared = (
  declared: ProviderDeclaration,
  stored: Provider | undefined,
  context: StaffContext,
  { refusal, typed = [], other }: Shown,
): Html => {
  const { school, t } = context
  const url = stored?.webhook?.url ?? `${school.baseUrl}/webhooks/${declared.name}`
  const steps = html`${renderPreparation(declared, url, context)}
${renderSecrets(declared, stored, context, { refusal, other })}`
  if (stored === undefined) return html`<section class="card" aria-label="${t(declared.title)}">\n${steps}</section>\n`
  const isUnset = listUnset(declared, stored).some(one => !isBroughtByConnecting(declared, one))
  const isOpen = isUnset || refusal !== undefined || other !== undefined
  return html`<section class="card">
${renderCheck(declared, stored, context)}
</section>
<section class="card">
${renderUse(stored, typed, context)}
</section>
${declared.secrets.length > 0 && html`<details class="card"${isOpen && html` open`}><summary>${t(text.steps.again)}</summary>\n${steps}</details>`}`
}

// Whether money moves.
const formatMode = ({ declared, stored }: Named, { t, school }: StaffContext): string | undefined => {
  if (declared === undefined) return undefined
  if (isTestOnly(declared)) return t(text.add.testAbout)
  const mode = stored === undefined ? paymentMode(school) : stored.mode
  return mode === null ? undefined : t(text.modes[mode])
}

const noticeOther = ({ stored }: Named, { id, name }: Account, { t }: StaffContext) => {
  const account = name === null ? id : `${name} (${id})`
  const counts = listCounts(stored, t).join(', ')
  const said = counts === '' ? t(text.other.account, { account }) : t(text.other.needed, { account, counts })
  return { kind: 'refused' as const, text: said }
}

const show = async (context: StaffContext, shown: Shown = {}): Promise<Reply> => {
  const { t } = context
  const { refusal, typed } = shown
  const named = await readNamed(context)
  const { name, declared, stored } = named
  return context.frame({
    title: t(findProviderTitle(name)),
    ...buildOutcome(context, refusal, { done: text.done, sets: [instructionFields], said: text.refusals }),
    ...(shown.other === undefined ? {} : { notice: noticeOther(named, shown.other, context), status: 409 }),
    lead: formatMode(named, context),
    hasCards: true,
    body: html`<div class="stack">${declared !== undefined && renderDeclared(declared, stored, context, shown)}${name === 'manual' && html`<section class="card" aria-label="${t(texts.words.bankTransfer)}">${renderInstructions(named, context, { typed, refusal })}</section>`}
${stored !== undefined && html`<p><a href="${providerPath(name)}/removal">${t(text.removal.link)}</a></p>`}</div>`,
  })
}

/** GET /staff/payments/:provider: the steps that set a provider up, its check, and its use. */
export const showProvider = (context: StaffContext): Promise<Reply> => show(context)

/** POST /staff/payments/:provider. */
export const submitProvider = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const named = await readNamed(context)
  const act = formField(typed, 'act')
  const found = Object.hasOwn(acts, act) ? acts[act as keyof typeof acts] : undefined
  if (found === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const [done, callFor] = found
  const other = act === 'set' ? await findOtherAccount(named, typed, context) : undefined
  if (other !== undefined) return show(context, { other })
  return shownAgain(
    async () => {
      await context.call(callFor(named, typed, context))
      // What the new keys can do is seen at once, where the provider answers.
      if (act === 'set' && named.declared !== undefined)
        await orRefused(context.call(acts.check[1](named, typed, context)))
      return `${providerPath(named.name)}?done=${done}`
    },
    refusal => show(context, { refusal, typed }),
    // Somebody else removed the provider meanwhile, or it does not answer.
    ({ problem }) => problem === notFound || problem === providerUnavailable,
  )
}
