import { isDeepStrictEqual } from 'node:util'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { isKnownProvider } from '#src/contract/payment-providers.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { deleteProvider, deleteSecret, listProviders, lockProvider, storeProvider } from './queries.ts'
import {
  errorsOfProvider,
  fitsSchool,
  listOutdated,
  listSent,
  nextMode,
  paymentMode,
  providerRemoved,
  providerSet,
  storedInstructions,
  wrongPaymentMode,
} from './rules.ts'
import { PaymentProvider, PaymentProviders, ProviderRef, ProviderSecrets } from './schema.ts'
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
    return { data: await listProviders(db, school.id) }
  },
})

const storedView = async ({ db, school }: Pick<WriteContext, 'db' | 'school'>, name: string) => {
  const row = await lockProvider(db, school.id, name)
  if (row === undefined) throw new Error(`the provider ${name} was not stored`)
  return row
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
    if (before !== undefined && secrets.length === 0 && !isInstructed) return before
    await storeProvider(db, school.id, {
      name: provider,
      mode,
      instructions: instructions ?? before?.instructions ?? null,
    })
    const modes = { before: before?.mode ?? null, after: mode }
    for (const name of listOutdated(stored, body.secrets ?? {}, modes))
      await deleteSecret(db, school.id, provider, name)
    for (const secret of secrets) await sealSecret(context, provider, secret)
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

const removePaymentProvider = operation({
  id: 'removePaymentProvider',
  summary: 'Remove a payment provider',
  description: 'Removes a provider with its secrets; buyers can no longer pay through it.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  params: ProviderRef,
  returns: undefined,
  example: { params: { provider: 'manual' } },
  async handle({ db, school, params, changed, record }) {
    const { provider } = params
    if ((await deleteProvider(db, school.id, provider)) === 0)
      throw new Refusal(notFound, `The provider ${provider} is not set.`)
    changed({ ids: [toId('scl', school.id)], fields: [provider] })
    record({
      type: 'payment_provider.removed',
      payload: { provider },
      effects: { money: providerRemoved(provider) },
    })
  },
})

/** The operations of payment providers; no app can call them. */
export const providerOperations = [getPaymentProviders, setPaymentProvider, removePaymentProvider]
