import type Stripe from 'stripe'
import { fillEach, type Phrase } from '#src/contract/language.ts'
import type { Checked, CheckInput, Finding, FindingCode, KeyMode } from '#src/contract/payments.ts'
import { differsFromClock } from '#src/kit/clock-difference.ts'
import { texts } from '#src/texts/index.ts'
import { type Account, type Client, openClient, readStripeError } from './client.lookups.ts'
import { declaration, savingCapabilities, webhookEvents } from './provider.rules.ts'

const words = texts.shop.stripe.findings

type Sentences = { readonly text: Phrase; readonly how: Phrase }

const find = (
  code: FindingCode,
  level: Finding['level'],
  { text, how }: Sentences,
  values: Readonly<Record<string, string>> = {},
): Finding => ({ code, level, text: fillEach(text, values), how })

// What a request that can have no effect is answered with. An id that cannot exist is looked up after the permission.
const probe = async (asked: Promise<unknown>): Promise<'allowed' | 'forbidden' | 'unknown'> => {
  try {
    await asked
    return 'allowed'
  } catch (error) {
    const { statusCode } = readStripeError(error) ?? {}
    if (statusCode === 403) return 'forbidden'
    return statusCode === 400 || statusCode === 404 ? 'allowed' : 'unknown'
  }
}

type Probe = { readonly name: string; readonly level: Finding['level']; ask(): Promise<unknown> }

const listProbes = ({ stripe, options }: Client): readonly Probe[] => [
  {
    name: 'Checkout Sessions: Write',
    level: 'missing',
    ask: () => stripe.checkout.sessions.expire('cs_stoa_check', {}, options()),
  },
  {
    name: 'PaymentIntents: Write',
    level: 'missing',
    ask: () => stripe.paymentIntents.cancel('pi_stoa_check', {}, options()),
  },
  { name: 'Customers: Write', level: 'missing', ask: () => stripe.customers.del('cus_stoa_check', {}, options()) },
  {
    name: 'Charges and Refunds: Write',
    level: 'missing',
    ask: () => stripe.refunds.create({ payment_intent: 'pi_stoa_check' }, options()),
  },
  {
    name: 'SetupIntents: Read',
    level: 'missing',
    ask: () => stripe.setupIntents.retrieve('seti_stoa_check', {}, options()),
  },
  {
    name: 'PaymentMethods: Read',
    level: 'missing',
    ask: () => stripe.paymentMethods.retrieve('pm_stoa_check', {}, options()),
  },
  { name: 'Disputes: Read', level: 'missing', ask: () => stripe.disputes.retrieve('dp_stoa_check', {}, options()) },
  {
    name: 'Balance: Read',
    level: 'missing',
    ask: () => stripe.balanceTransactions.retrieve('txn_stoa_check', {}, options()),
  },
  { name: 'Payouts: Read', level: 'warning', ask: () => stripe.payouts.retrieve('po_stoa_check', {}, options()) },
]

const checkPermission = async ({ name, level, ask }: Probe): Promise<readonly Finding[]> => {
  const answer = await probe(ask())
  if (answer === 'allowed') return []
  if (answer === 'forbidden') return [find('permission_missing', level, words.permissionMissing, { name })]
  return [find('permission_unknown', 'warning', words.permissionUnknown, { name })]
}

// Those at the address of the school; one of the mode of the key is the one that sends what happens with it.
const checkEndpoints = (
  endpoints: readonly Stripe.WebhookEndpoint[],
  mode: KeyMode | undefined,
): readonly Finding[] => {
  if (endpoints.length === 0) return [find('webhook_missing', 'missing', words.webhookMissing)]
  const endpoint = endpoints.find(({ livemode }) => livemode === (mode === 'live'))
  if (endpoint === undefined) return [find('webhook_other_mode', 'missing', words.webhookOtherMode)]
  if (endpoint.status !== 'enabled') return [find('webhook_disabled', 'missing', words.webhookDisabled)]
  const { enabled_events: sent } = endpoint
  const names = sent.includes('*') ? [] : webhookEvents.filter(name => !sent.includes(name))
  if (names.length === 0) return []
  return [find('webhook_events_missing', 'missing', words.webhookEvents, { names: names.join(', ') })]
}

// Without the permission the owner makes the endpoint by hand, and whether it sends is seen when it does.
const checkWebhook = async (
  { stripe, options }: Client,
  webhookUrl: string,
  mode: KeyMode | undefined,
): Promise<readonly Finding[]> => {
  try {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 }, options())
    return checkEndpoints(
      data.filter(({ url }) => url === webhookUrl),
      mode,
    )
  } catch (error) {
    const name = 'Webhook Endpoints: Write'
    if (readStripeError(error)?.statusCode === 403)
      return [find('permission_missing', 'warning', words.permissionMissing, { name })]
    return [find('permission_unknown', 'warning', words.permissionUnknown, { name })]
  }
}

// An account of which Stripe tells no capabilities may have any. Those without `_payments` receive nothing from buyers.
const checkMethods = ({ capabilities = {}, charges_enabled }: Stripe.Account): readonly Finding[] => {
  const known = Object.entries(capabilities).filter(([name]) => name.endsWith('_payments'))
  if (known.length === 0 || !charges_enabled) return []
  const active = known.filter(([, state]) => state === 'active').map(([name]) => name)
  if (active.length === 0) return [find('no_methods', 'missing', words.noMethods)]
  const saves = active.some(name => savingCapabilities.has(name))
  return saves ? [] : [find('no_method_saves', 'warning', words.noMethodSaves)]
}

const checkAccountItself = (account: Stripe.Account): readonly Finding[] => [
  ...(account.charges_enabled ? [] : [find('account_not_ready', 'missing', words.accountNotReady)]),
  ...checkMethods(account),
  ...(account.settings?.payouts?.schedule.interval === 'manual'
    ? [find('payouts_manual', 'warning', words.payoutsManual)]
    : []),
]

const checkClock = (date: string | undefined): readonly Finding[] =>
  differsFromClock(date) ? [find('clock_differs', 'warning', words.clockDiffers)] : []

type Owner = Checked | 'invalid'

const readOwner = async ({ stripe, options }: Client): Promise<Owner> => {
  try {
    const owner = await stripe.accounts.retrieveCurrent({}, options())
    const { id, business_profile: profile, country, lastResponse } = owner
    return {
      account: { id, name: profile?.name ?? null, country: country ?? null },
      findings: [...checkAccountItself(owner), ...checkClock(lastResponse.headers.date)],
    }
  } catch (error) {
    const { statusCode, headers } = readStripeError(error) ?? {}
    if (statusCode === 401) return 'invalid'
    // A restricted key may not see the account; what it may do is found out all the same.
    if (statusCode === 403) return { account: null, findings: checkClock(headers?.date) }
    throw error
  }
}

/** What an owner has to do before Stripe can be used, found by requests that change nothing there. */
export const checkAccount = async (account: Account, { webhookUrl, mode }: CheckInput): Promise<Checked> => {
  const client = await openClient(account)
  const owner = await readOwner(client)
  if (owner === 'invalid') return { account: null, findings: [find('key_invalid', 'missing', words.keyInvalid)] }
  const keyMode = declaration.modeOf({ secret_key: account.secretKey })
  const found = await Promise.all([
    ...listProbes(client).map(checkPermission),
    checkWebhook(client, webhookUrl, keyMode),
  ])
  return {
    account: owner.account,
    findings: [
      ...(keyMode !== mode ? [find('key_mode', 'missing', words.keyMode)] : []),
      ...owner.findings,
      ...found.flat(),
    ],
  }
}
