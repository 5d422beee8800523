import type Stripe from 'stripe'
import { fillEach, type Phrase } from '#src/contract/language.ts'
import type { Checked, CheckInput, Finding, FindingCode } from '#src/contract/payments.ts'
import { texts } from '#src/texts/index.ts'
import { type Account, type Client, openClient, readStripeError } from './client.lookups.ts'
import { declaration, webhookEvents } from './provider.rules.ts'

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

const checkEndpoint = (endpoint: Stripe.WebhookEndpoint | undefined): readonly Finding[] => {
  if (endpoint === undefined) return [find('webhook_missing', 'missing', words.webhookMissing)]
  if (endpoint.status !== 'enabled') return [find('webhook_disabled', 'missing', words.webhookDisabled)]
  const { enabled_events: sent } = endpoint
  const names = sent.includes('*') ? [] : webhookEvents.filter(name => !sent.includes(name))
  if (names.length === 0) return []
  return [find('webhook_events_missing', 'missing', words.webhookEvents, { names: names.join(', ') })]
}

// Without the permission the owner makes the endpoint by hand, and whether it sends is seen when it does.
const checkWebhook = async ({ stripe, options }: Client, webhookUrl: string): Promise<readonly Finding[]> => {
  try {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 }, options())
    return checkEndpoint(data.find(({ url }) => url === webhookUrl))
  } catch (error) {
    const name = 'Webhook Endpoints: Write'
    if (readStripeError(error)?.statusCode === 403)
      return [find('permission_missing', 'warning', words.permissionMissing, { name })]
    return [find('permission_unknown', 'warning', words.permissionUnknown, { name })]
  }
}

type Owner = Checked | 'invalid'

const readOwner = async ({ stripe, options }: Client): Promise<Owner> => {
  try {
    const {
      id,
      business_profile: profile,
      country,
      charges_enabled,
    } = await stripe.accounts.retrieveCurrent({}, options())
    const account = { id, name: profile?.name ?? null, country: country ?? null }
    return { account, findings: charges_enabled ? [] : [find('account_not_ready', 'missing', words.accountNotReady)] }
  } catch (error) {
    const { statusCode } = readStripeError(error) ?? {}
    if (statusCode === 401) return 'invalid'
    // A restricted key may not see the account; what it may do is found out all the same.
    if (statusCode === 403) return { account: null, findings: [] }
    throw error
  }
}

/** What an owner has to do before Stripe can be used, found by requests that change nothing there. */
export const checkAccount = async (account: Account, { webhookUrl, mode }: CheckInput): Promise<Checked> => {
  const client = await openClient(account)
  const owner = await readOwner(client)
  if (owner === 'invalid') return { account: null, findings: [find('key_invalid', 'missing', words.keyInvalid)] }
  const isOtherMode = declaration.modeOf({ secret_key: account.secretKey }) !== mode
  const found = await Promise.all([...listProbes(client).map(checkPermission), checkWebhook(client, webhookUrl)])
  return {
    account: owner.account,
    findings: [
      ...(isOtherMode ? [find('key_mode', 'missing', words.keyMode)] : []),
      ...owner.findings,
      ...found.flat(),
    ],
  }
}
