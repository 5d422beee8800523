import { isDeepStrictEqual } from 'node:util'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { isKnownProvider } from '#src/contract/payment-providers.ts'
import type { KeyMode } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { callingOperations } from './calling.operations.ts'
import { notSet } from './checking.lookups.ts'
import {
  deleteSecret,
  forgetAccount,
  forgetCheck,
  forgetEndpoint,
  listProviders,
  lockProvider,
  storeProvider,
  storeUse,
} from './queries.ts'
import {
  errorsOfProvider,
  fitsSchool,
  isOfAccount,
  listOutdated,
  listSent,
  nextMode,
  paymentMode,
  providerSet,
  providerUsed,
  storedInstructions,
  wrongPaymentMode,
} from './rules.ts'
import { PaymentProvider, PaymentProviders, ProviderRef, ProviderSecrets, ProviderUse } from './schema.ts'
import { providerView } from './views.ts'
import { sealSecret } from './writes.ts'

const checkKnown = (provider: string): void => {
  if (!isKnownProvider(provider)) throw new Refusal(notFound, 'There is no such payment provider.')
}

const getPaymentProviders = operation({
  id: 'getPaymentProviders',
  summary: 'Get payment providers',
  description:
    'Returns the providers through which the school is paid. Of their secrets only the last characters are shown.',
  who: 'owner',
  mode: 'read',
  returns: PaymentProviders,
  async handle({ db, school }) {
    const rows = await listProviders(db, school.id)
    return { data: await Promise.all(rows.map(row => providerView({ db, school }, row))) }
  },
})

const storedView = async ({ db, school }: Pick<WriteContext, 'db' | 'school'>, name: string) => {
  const row = await lockProvider(db, school.id, name)
  if (row === undefined) throw new Error(`the provider ${name} was not stored`)
  return providerView({ db, school }, row)
}

type Replaced = {
  readonly sent: readonly string[]
  readonly modes: { readonly before: KeyMode | null; readonly after: KeyMode | null }
}

// What was found out with secrets says nothing of others.
const forgetKnown = async (
  { db, school }: Pick<WriteContext, 'db' | 'school'>,
  provider: string,
  { sent, modes }: Replaced,
): Promise<void> => {
  if (sent.length > 0) await forgetCheck(db, school.id, provider)
  if (isOfAccount(provider, sent)) await forgetAccount(db, school.id, provider)
  if (modes.before !== null && modes.before !== modes.after) await forgetEndpoint(db, school.id, provider)
}

const setPaymentProvider = operation({
  id: 'setPaymentProvider',
  summary: 'Set a payment provider',
  description:
    'Adds a provider through which the school is paid, or replaces its secrets or, of bank transfer, the instructions for buyers; what is left out stays. Secrets are stored sealed and never shown again but for their last four characters. Keys of the other mode replace all secrets.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  params: ProviderRef,
  body: ProviderSecrets,
  returns: PaymentProvider,
  fails: [wrongPaymentMode, notFound],
  example: { params: { provider: 'manual' }, body: {} },
  async handle(context) {
    const { db, school, params, body, changed, record } = context
    const { provider } = params
    checkKnown(provider)
    const before = await lockProvider(db, school.id, provider)
    const stored = before?.secrets.map(({ name }) => name) ?? []
    refuseInvalid(errorsOfProvider(provider, body, stored), 'The secrets or instructions are not valid.')
    const mode = nextMode(provider, body, before?.mode ?? null)
    if (mode === 'live') context.requireProof('second_factor')
    if (!fitsSchool(mode, school))
      throw new Refusal(
        wrongPaymentMode,
        `This school takes providers and keys for ${paymentMode(school)} payments only.`,
      )
    const secrets = listSent(provider, body.secrets ?? {})
    const instructions = body.instructions === undefined ? undefined : storedInstructions(body.instructions)
    const isInstructed = instructions !== undefined && !isDeepStrictEqual(instructions, before?.instructions)
    if (before !== undefined && secrets.length === 0 && !isInstructed) return providerView(context, before)
    await storeProvider(db, school.id, {
      name: provider,
      mode,
      instructions: instructions ?? before?.instructions ?? null,
    })
    const modes = { before: before?.mode ?? null, after: mode }
    for (const name of listOutdated(stored, body.secrets ?? {}, modes))
      await deleteSecret(db, school.id, provider, name)
    for (const secret of secrets) await sealSecret(context, provider, secret)
    await forgetKnown(context, provider, { sent: secrets.map(({ name }) => name), modes })
    const view = await storedView(context, provider)
    const names = [...secrets.map(({ name }) => name), ...(isInstructed ? ['instructions'] : [])]
    const fields = names.length === 0 ? [provider] : names.map(name => `${provider}.${name}`)
    changed({ ids: [toId('scl', school.id)], fields, revision: view.revision })
    record({
      type: 'payment_provider.set',
      payload: { provider, fields },
      effects: { money: providerSet(provider) },
    })
    return view
  },
})

const setProviderUse = operation({
  id: 'setProviderUse',
  summary: 'Set the use of a payment provider',
  description:
    'Says what a provider is used for: everything, renewals of those who pay through it, or nothing. With `nothing` open pages are ended, and those who pay a subscription through it are mailed to choose another way. Each way back is allowed.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  params: ProviderRef,
  body: ProviderUse,
  returns: PaymentProvider,
  fails: [notFound],
  example: { params: { provider: 'test' }, body: { use: 'renewals' } },
  async handle(context) {
    const { db, school, params, body, changed, record } = context
    const { provider } = params
    const { use } = body
    const before = provider === 'manual' ? undefined : await lockProvider(db, school.id, provider)
    if (before === undefined) throw notSet(provider)
    if (before.use === use) return providerView(context, before)
    await storeUse(db, school.id, provider, use)
    const view = await storedView(context, provider)
    changed({ ids: [toId('scl', school.id)], fields: [`${provider}.use`], revision: view.revision })
    record({
      type: 'payment_provider.use_changed',
      payload: { provider, use },
      effects: { money: providerUsed(provider, use) },
    })
    return view
  },
})

/** The operations of payment providers; no app can call them. */
export const providerOperations = [getPaymentProviders, setPaymentProvider, setProviderUse, ...callingOperations]
