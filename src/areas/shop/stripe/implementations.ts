import { implement } from '#src/contract/hook.ts'
import { chargeable, type Provider, paymentProvider } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { chargeMethod, forgetCustomer, refundIntent } from './charges.writes.ts'
import { checkAccount } from './checking.lookups.ts'
import type { Account } from './client.lookups.ts'
import { connectEndpoint, disconnectEndpoint } from './endpoint.writes.ts'
import { readEvents } from './events.lookups.ts'
import { computeFit } from './money.rules.ts'
import { beginPage, endPage } from './pages.writes.ts'
import { findStripePayment } from './payments.lookups.ts'

const createProvider = (account: Account): Provider => ({
  name: 'stripe',
  begin: input => beginPage(account, input),
  charge: input => chargeMethod(account, input),
  refund: input => refundIntent(account, input),
  find: input => findStripePayment(account, input),
  end: ref => endPage(account, ref),
  forget: ref => forgetCustomer(account, ref),
  read: request => readEvents(account, request),
  check: input => checkAccount(account, input),
  connect: url => connectEndpoint(account, url),
  disconnect: ref => disconnectEndpoint(account, ref),
})

const readAccount = (
  { secret_key: secretKey, webhook_secret: webhookSecret }: Readonly<Record<string, string>>,
  { siteOrigin }: School,
  origin: string,
): Account | undefined =>
  secretKey === undefined ? undefined : { secretKey, webhookSecret, origin, returnUrl: `${siteOrigin}/account` }

/** What this area does when hooks are called, with the API at an origin; tests have a server of their own. */
export const implementProvider = (origin: string) => [
  implement(paymentProvider, async ({ name, secrets }, { school }) => {
    const account = name === 'stripe' ? readAccount(secrets, school, origin) : undefined
    return account && createProvider(account)
  }),
  implement(chargeable, async ({ provider, purpose, amount, currency }) => {
    if (provider !== 'stripe') return undefined
    return purpose === 'setup' ? true : computeFit({ amount, currency })
  }),
]
