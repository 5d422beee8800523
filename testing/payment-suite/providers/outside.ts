import { chargeElsewhere, type OutsideProvider, startOutsideProvider } from '../../outside-provider.ts'
import type {
  Action,
  Booked,
  Books,
  Call,
  Controls,
  Fault,
  Notices,
  Post,
  ProviderUnderTest,
  Sending,
} from '../provider.ts'

type Entry = NonNullable<ReturnType<OutsideProvider['books']['get']>>

const paths = { begin: 'pages', charge: 'charges', refund: 'refunds', find: 'find', end: 'end' } as const

const faults = { lost: 'lost', error: 'error', busy: 'error', held: 'held', hanging: 'swallowed' } as const

const fail = (server: OutsideProvider, call: Call, fault: Fault): void => {
  if (call === 'forget') throw new Error('the provider forgets at once')
  server.fail(paths[call], faults[fault])
}

const pay = (entry: Entry, times = 1): void => {
  entry.state = 'succeeded'
  entry.received += times * entry.amount
  delete entry.failure
}

const decline = (entry: Entry, code: string, mayRetry: boolean): void => {
  entry.failure = { code, mayRetry }
  if (!mayRetry) entry.state = 'failed'
}

const closeDispute = (entry: Entry, state: 'won' | 'lost'): void => {
  for (const dispute of entry.disputes) if (dispute.state === 'open') dispute.state = state
}

const disputeFor = (entry: Entry, amount = entry.received): void =>
  void entry.disputes.push({ ref: `${entry.ref}_dispute`, state: 'open', amount })

const changes: Readonly<Partial<Record<Action['does'], (entry: Entry) => void>>> = {
  pay: pay,
  authenticate: pay,
  pay_late: pay,
  settle: pay,
  pay_twice: entry => pay(entry, entry.received === 0 ? 2 : 1),
  decline: entry => decline(entry, 'card_declined', true),
  decline_finally: entry => decline(entry, 'card_lost', false),
  take_long: entry => {
    entry.state = 'processing'
  },
  bounce: entry => {
    entry.state = 'failed'
    entry.failure = { code: 'insufficient_funds', mayRetry: true }
  },
  expire: entry => {
    entry.state = 'canceled'
  },
  win: entry => closeDispute(entry, 'won'),
  lose: entry => closeDispute(entry, 'lost'),
  fail_refunds: entry => {
    for (const refund of entry.refunds) refund.state = 'failed'
  },
  ask_person: () => undefined,
  leave: () => undefined,
}

const change = (entry: Entry, action: Action): void => {
  if (action.does === 'charge_back') disputeFor(entry, action.amount)
  else if (action.does === 'refund')
    entry.refunds.push({
      refs: [`${entry.ref}_refund${entry.refunds.length}`],
      amount: action.amount,
      state: 'succeeded',
    })
  else changes[action.does]?.(entry)
}

const states = { needs_person: 'open', canceled: 'ended', unknown: 'open' } as const

const toBooked = ({ id, ref, state, received, receivedCurrency, refunds, disputes }: Entry): Booked => ({
  paymentId: id,
  refs: [ref],
  state: state === 'needs_person' || state === 'canceled' || state === 'unknown' ? states[state] : state,
  received,
  currency: receivedCurrency,
  refunds: refunds.map(one => ({
    refundId: one.refundId,
    amount: one.amount,
    state: one.state === 'succeeded' || one.state === 'failed' ? one.state : 'processing',
  })),
  disputes,
})

const readBooks = ({ books, effects }: OutsideProvider): Books => ({
  payments: [...books.values()].map(toBooked),
  customers: [],
  effects,
})

type Sent = ReturnType<OutsideProvider['event']>

const createNotices = (server: OutsideProvider, post: Post): Notices & { tell(paymentId: string): void } => {
  let sending: Sending = 'now'
  let held: { readonly id: string; readonly paymentId: string }[] = []
  let count = 0
  const send = (event: Sent): Promise<number> => post({ query: '', ...event })
  const sendOne = ({ id, paymentId }: (typeof held)[number]): Promise<number> =>
    send(server.event(id, { id: paymentId }))
  const newId = (): string => `suite_${++count}`
  return {
    tell: paymentId => {
      const one = { id: newId(), paymentId }
      if (sending === 'held') held.push(one)
      else if (sending === 'now') void sendOne(one).catch(() => undefined)
    },
    setSending: how => {
      sending = how
    },
    countHeld: () => held.length,
    deliver: async positions => {
      const statuses: number[] = []
      for (const position of positions) {
        const one = held[position]
        if (one === undefined) throw new Error(`there is no notice ${position}`)
        statuses.push(await sendOne(one))
      }
      return statuses
    },
    drop: () => {
      held = []
    },
    deliverUnknown: () => send(server.event(newId(), { ref: 'out_unknown' })),
    deliverForged: paymentId => send(server.event(newId(), { id: paymentId }, { secret: 'whsec_another' })),
  }
}

const createControls = (server: OutsideProvider, post: Post): Controls => {
  const { tell, ...notices } = createNotices(server, post)
  const find = (paymentId: string): Entry => {
    const entry = server.books.get(paymentId)
    if (entry === undefined) throw new Error(`the provider has never heard of ${paymentId}`)
    return entry
  }
  const setRefunds: Controls['setRefunds'] = how => {
    server.refundState = ({ succeed: 'succeeded', take_long: 'processing', fail: 'failed' } as const)[how]
  }
  return {
    act: async (paymentId, action) => {
      change(find(paymentId), action)
      if (action.does !== 'leave' && action.does !== 'ask_person') tell(paymentId)
    },
    setRefunds,
    settleRefunds: async () => {
      for (const entry of server.books.values()) {
        const slow = entry.refunds.filter(({ state }) => state === 'processing')
        for (const refund of slow) refund.state = 'succeeded'
        if (slow.length > 0) tell(entry.id)
      }
    },
    fail: (call, fault) => fail(server, call, fault),
    release: () => server.release(),
    forgetKeys: () => server.forgetKeys(),
    moveClock: () => undefined,
    readBooks: async () => readBooks(server),
    countRequests: call => server.requests.filter(path => call !== 'forget' && path === paths[call]).length,
    notices,
  }
}

/** A provider that only tests have: what an area of anybody's has to bring along. */
export const outsideUnderTest: ProviderUnderTest = {
  name: 'outside',
  isReal: false,
  keysLast: 20 * 3600,
  can: { saves: false, delays: true, debits: false, slowRefunds: true, faults: true, notices: true },
  start: async ({ post }) => {
    const server = await startOutsideProvider()
    const controls = createControls(server, post)
    const origin = `http://127.0.0.1:${server.port}`
    return { origin, secrets: server.secrets, controls, stop: () => server.stop() }
  },
  // Its key says where it is.
  callAt: chargeElsewhere,
}
