import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Provider } from '#src/contract/payments.ts'
import { startApp, type TestApp } from '../app.ts'
import { ledgerTest } from '../ledger.ts'
import { type Mailbox, startMailbox } from '../mail.ts'
import { openPort } from '../payment-suite/port.ts'
import { createPost } from '../payment-suite/post.ts'
import { done, getPayment, purchaseWhen, readMember, setProvider } from '../payments.ts'
import { PURCHASES, type Purchase, purchases } from '../purchases.ts'
import { type StripeServer, startStripe } from './index.ts'

/** Stripe as the provider of the first school, with secrets as the owner set them. */
export const openProvider = (app: TestApp, secrets: Readonly<Record<string, string>>): Promise<Provider> =>
  openPort(app, 'stripe', secrets)

/** A method of a member as it is stored. */
export type SavedMethodRow = {
  readonly customer_ref: string
  readonly method_ref: string
  readonly brand: string | null
  readonly last4: string | null
}

/** A school that is paid by Stripe, for the tests of a file: what they use, once they run. */
export const useStripe = () => {
  let app: Awaited<ReturnType<typeof startApp>> | undefined
  let stripe: StripeServer | undefined
  let mailbox: Mailbox | undefined
  const getApp = (): TestApp => app ?? assert.fail('the application has not started')
  before(async () => {
    app = await startApp({
      moreAreas: [purchases],
      moreTables: PURCHASES,
      mailbox: async () => {
        mailbox = await startMailbox()
        return mailbox
      },
    })
    stripe = await startStripe({ post: createPost(getApp, 'stripe') })
    await setProvider(getApp(), 'stripe', { secrets: stripe.secrets })
  })
  after(async () => {
    await app?.stop()
    await stripe?.stop()
    await mailbox?.stop()
  })
  return {
    test: ledgerTest({ database: { query: (text, values) => getApp().database.query(text, values) } }),
    get app() {
      return getApp()
    },
    get stripe() {
      return stripe ?? assert.fail('the server has not started')
    },
  }
}

/** The methods of Dev, the newest last. */
export const readMethods = async (app: TestApp): Promise<readonly SavedMethodRow[]> =>
  done<SavedMethodRow[]>(app, 'methods', { member: await readMember(app) })

/** Whether the first payment of a purchase is in a state. */
export const has =
  (state: string) =>
  ({ payments }: Purchase): boolean =>
    payments[0]?.state === state

/** Waits until a purchase is paid. */
export const waitUntilPaid = (app: TestApp, purchase: Purchase): Promise<Purchase> =>
  purchaseWhen(app, purchase, ({ status }) => status === 'paid')

/** The id of the first payment of a purchase, `pay_…`. */
export const getPaymentId = (purchase: Purchase): string => getPayment(purchase).id
