import type { Static } from 'typebox'
import type { Order } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formatMoney } from '#src/kit/format.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run, textOption } from './command.ts'
import { withInstallation } from './installation.ts'

type Shown = Encoded<Static<typeof Order>>

const described = (order: Shown): string => {
  const money = (amount: number) => formatMoney(amount, order.currency, 'en')
  const { number, status, total, paid_total, refunded_total } = order
  return `Order ${number} is ${status}: ${money(total)}, of which ${money(paid_total)} arrived and ${money(refunded_total)} went back`
}

/** What a verb performs: an operation, and its body from the options. */
type Verb = { readonly operation: string; readonly buildBody?: (run: Run) => Readonly<Record<string, unknown>> }

const amountIn = (run: Run): number | undefined => {
  const text = textOption(run, 'amount')
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new Failed('--amount is a whole number of minor units, such as 4900 for 49.00')
  return Number(text)
}

const present = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

// The options of a billing, by its fields and those of its address; an empty text removes a value.
const billingOptions = { name: 'name', company: 'company', country: 'country', tax_id: 'tax-id' } as const
const addressOptions = {
  line1: 'line1',
  line2: 'line2',
  postal_code: 'postal-code',
  city: 'city',
  region: 'region',
} as const

const fieldsIn = (run: Run, options: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(options).flatMap(([field, option]) => {
      const text = run.options[option]
      return typeof text === 'string' ? [[field, text === '' ? null : text]] : []
    }),
  )

const billingIn = (run: Run) => {
  const address = fieldsIn(run, addressOptions)
  const billing = { ...fieldsIn(run, billingOptions), ...(Object.keys(address).length === 0 ? {} : { address }) }
  if (Object.keys(billing).length === 0)
    throw new Failed('say to whom the order is billed, such as with --company NAME')
  return billing
}

const verbs: Readonly<Record<string, Verb>> = {
  confirm: {
    operation: 'confirmPayment',
    buildBody: run => present({ amount: amountIn(run), received_on: textOption(run, 'on') }),
  },
  unconfirm: { operation: 'unconfirmPayment' },
  cancel: { operation: 'cancelOrder' },
  refund: {
    operation: 'refundOrder',
    buildBody: run =>
      present({
        amount: amountIn(run),
        reason: textOption(run, 'reason') ?? 'requested',
        note: textOption(run, 'note'),
      }),
  },
  resend: { operation: 'resendReceipt' },
  note: { operation: 'noteOrder', buildBody: run => ({ note: textOption(run, 'note') ?? null }) },
  accept: { operation: 'acceptDispute' },
  reissue: { operation: 'reissueInvoice', buildBody: billingIn },
}

const outsideBody = (run: Run) => {
  const price = textOption(run, 'price')
  if (price === undefined) throw new Failed('name what was bought with --price prc_…')
  const items = [{ price_id: price }]
  const invoice = run.options['no-invoice'] === true ? false : undefined
  return present({ items, received_on: textOption(run, 'on'), note: textOption(run, 'note'), invoice })
}

const parseCall = (run: Run) => {
  const [name = '', named, ...more] = run.positionals
  if (named === undefined || more.length > 0) throw new Failed(`usage: ${orders.usage}`)
  if (name === 'outside')
    return { operation: 'recordOutsideOrder', params: { member_id: named }, body: outsideBody(run) }
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined) throw new Failed(`usage: ${orders.usage}`)
  const { operation, buildBody } = verb
  const params = { order_id: named.startsWith('ord_') ? named : `number:${named}` }
  return { operation, params, ...(buildBody === undefined ? {} : { body: buildBody(run) }) }
}

/** Does to orders what no app may do: confirms transfers, cancels, refunds, and records what was paid elsewhere. */
export const orders: Command = {
  name: 'orders',
  usage:
    'stoa orders confirm|unconfirm|cancel|refund|resend|note|accept|reissue NUMBER | outside MEMBER --price PRICE [--no-invoice] [--amount MINOR_UNITS] [--on DATE] [--reason REASON] [--note NOTE] [--name NAME] [--company COMPANY] [--country CODE] [--tax-id ID] [--line1 LINE] [--line2 LINE] [--postal-code CODE] [--city CITY] [--region REGION] [--school BASE_URL]',
  summary:
    'Confirm transfers, cancel, refund and note orders of a school, reissue invoices, and record what was paid elsewhere',
  options: {
    ...schoolOption,
    amount: { type: 'string' },
    on: { type: 'string' },
    reason: { type: 'string' },
    note: { type: 'string' },
    price: { type: 'string' },
    'no-invoice': { type: 'boolean' },
    ...Object.fromEntries(
      [...Object.values(billingOptions), ...Object.values(addressOptions)].map(option => [option, { type: 'string' }]),
    ),
  },
  async run(run) {
    const call = parseCall(run)
    // After the arguments, since this loads every area.
    const { areas } = await import('#src/areas.ts')
    const { Order } = await import('#src/areas/shop/index.ts')
    const { asOperator } = await import('./as-operator.ts')
    await withInstallation(run.config, run.progress, async installation => {
      const { database, secret } = installation
      const school = await chooseSchool(run, installation)
      const parts = { database, secret, storage: run.config.storage, school, areas }
      await asOperator(parts, async (performAs, at) => {
        const order = await performAs(at, { ...call, returns: Order })
        run.tell(order, described(order))
      })
    })
  },
}
