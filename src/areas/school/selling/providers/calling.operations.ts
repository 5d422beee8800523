import { outsideOperation } from '#src/contract/multi-step-operation.ts'
import { findDeclaredProvider } from '#src/contract/payment-providers.ts'
import type { Provider } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { askProvider, checkAtProvider, getOpened, notSet, openProvider } from './checking.lookups.ts'
import { deleteProvider, lockProvider, type ProviderRow, storeCheck, storeEndpoint } from './queries.ts'
import {
  buildWebhookUrl,
  errorsOfProvider,
  isNeeded,
  providerInUse,
  providerRemoved,
  providerUnavailable,
} from './rules.ts'
import { PaymentProvider, ProviderRef, ProviderRemoval, ProviderTrial } from './schema.ts'
import { providerView, readNeeds } from './views.ts'
import { sealSecret } from './writes.ts'

const listStored = ({ secrets }: ProviderRow): string[] => secrets.map(({ name }) => name)

const changedMeanwhile = (): Refusal =>
  new Refusal(invalidState, 'Somebody has changed the provider meanwhile. Try again.')

/** Checks a provider, and keeps what was found. */
const checkPaymentProvider = outsideOperation({
  id: 'checkPaymentProvider',
  summary: 'Check a payment provider',
  description:
    'Asks the provider what its account and keys can do, which changes nothing there, and returns it with what was found. With secrets these are checked in place of those that are set, and nothing is kept: `account` is that of these keys.',
  who: 'owner',
  params: ProviderRef,
  body: ProviderTrial,
  returns: PaymentProvider,
  fails: [notFound, invalidState, providerUnavailable],
  example: { params: { provider: 'manual' }, body: {} },
  async runSteps(context) {
    const { school, params, body, read, write } = context
    const { secrets } = body
    const { row, provider } = await getOpened(context, params.provider, secrets)
    if (secrets !== undefined) refuseInvalid(errorsOfProvider(row.name, { secrets }, listStored(row)))
    const checked = await checkAtProvider(context, provider)
    if (secrets !== undefined)
      return read(async db => ({ ...(await providerView({ db, school }, row)), account: checked.account }))
    return write(async ({ db, record }) => {
      const { name } = provider
      if (!(await storeCheck(db, school.id, row, checked))) throw changedMeanwhile()
      const missing = checked.findings.filter(({ level }) => level === 'missing').length
      record({ type: 'payment_provider.checked', payload: { provider: name, missing, new_missing: 0 } })
      const after = await lockProvider(db, school.id, name)
      if (after === undefined) throw notSet(name)
      return providerView({ db, school }, after)
    })
  },
})

// What nobody knows of any more does no harm at the provider, so a failure to delete it is nothing to report.
const disconnect = async ({ disconnect: call }: Provider, ref: string): Promise<void> => {
  if (call !== undefined) await askProvider(call(ref)).catch(() => undefined)
}

/** Has a provider make the endpoint for our webhook, and keeps its secret. */
const connectPaymentProvider = outsideOperation({
  id: 'connectPaymentProvider',
  summary: 'Connect a payment provider',
  description:
    'Has the provider make the endpoint for the webhook of the school, and keeps the secret that it answers. Only for providers that can, with a key that may.',
  who: 'owner',
  proof: 'recent',
  params: ProviderRef,
  returns: PaymentProvider,
  fails: [notFound, invalidState, providerUnavailable],
  example: { params: { provider: 'manual' } },
  async runSteps(context) {
    const { school, params, keyFor, write } = context
    const { row, provider } = await getOpened(context, params.provider)
    const { name, connect } = provider
    if (connect === undefined || findDeclaredProvider(name)?.can.connects !== true)
      throw new Refusal(invalidState, `The provider ${name} makes no endpoints.`)
    const made = await askProvider(connect(buildWebhookUrl(school, name)))
    const store = write(async ({ db, changed, record }) => {
      const now = await lockProvider(db, school.id, name)
      if (now?.revision !== row.revision) throw changedMeanwhile()
      for (const [secret, value] of Object.entries(made.secrets))
        await sealSecret({ db, school, keyFor }, name, { name: secret, value })
      await storeEndpoint(db, school.id, name, made)
      const after = await lockProvider(db, school.id, name)
      if (after === undefined) throw notSet(name)
      const fields = [`${name}.webhook`, ...Object.keys(made.secrets).map(secret => `${name}.${secret}`)]
      changed({ ids: [toId('scl', school.id)], fields, revision: after.revision })
      record({ type: 'payment_provider.connected', payload: { provider: name } })
      return providerView({ db, school }, after)
    })
    const view = await store.catch(async (error: unknown) => {
      await disconnect(provider, made.ref)
      throw error
    })
    if (row.webhook_ref !== null && row.webhook_ref !== made.ref) await disconnect(provider, row.webhook_ref)
    return view
  },
})

/** Removes a provider with its keys, unless something needs them. */
const removePaymentProvider = outsideOperation({
  id: 'removePaymentProvider',
  summary: 'Remove a payment provider',
  description:
    'Removes a provider with its secrets, and the endpoint that was made there; buyers can no longer pay through it. Refused while something needs it, unless its name is sent: then payments wait for keys of the same account, and subscriptions are past due with their next charge.',
  who: 'owner',
  proof: 'recent',
  params: ProviderRef,
  body: ProviderRemoval,
  returns: undefined,
  fails: [notFound, providerInUse],
  example: { params: { provider: 'none-such' }, body: {} },
  async runSteps(context) {
    const { school, params, body, write } = context
    const { provider: name } = params
    const opened = await openProvider(context, name)
    await write(async ({ db, changed, record }) => {
      if ((await lockProvider(db, school.id, name)) === undefined) throw notSet(name)
      const { counts } = await readNeeds({ db, school }, name)
      if (body.name !== name && isNeeded(counts))
        throw new Refusal(providerInUse, `Something still needs the provider ${name}.`, { members: { counts } })
      await deleteProvider(db, school.id, name)
      changed({ ids: [toId('scl', school.id)], fields: [name] })
      const effects = { money: providerRemoved(name) }
      record({ type: 'payment_provider.removed', payload: { provider: name }, effects })
    })
    const ref = opened?.row.webhook_ref ?? null
    if (opened?.provider !== undefined && ref !== null) await disconnect(opened.provider, ref)
  },
})

/** The operations that call a provider. */
export const callingOperations = [connectPaymentProvider, checkPaymentProvider, removePaymentProvider]
