import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import type { Notices, Post, Sending } from '../payment-suite/provider.ts'
import { newId } from './books.ts'

const API_VERSION = '2026-10-28.endive'

/** The events of the server, and the control of when they are sent. */
export type Events = Notices & {
  /** Something has happened to an object, as it is now. */
  notify(type: string, object: Readonly<Record<string, unknown>>): void
  /** Sends a genuine event of an unknown payment that was signed so many seconds ago; returns the status. */
  deliverAged(seconds: number): Promise<number>
  /** Sends thin events from now on, as an endpoint of the newer kind does. */
  setThin(isThin: boolean): void
}

type Held = { readonly type: string; readonly body: string }

const buildBody = (type: string, object: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    type,
    data: { object },
  })

const buildThin = (type: string, object: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    id: newId('evt'),
    object: 'v2.core.event',
    created: new Date().toISOString(),
    livemode: false,
    type: `v1.${type}`,
    related_object: { id: object.id, type: object.object, url: `/v1/${String(object.object)}s/${String(object.id)}` },
  })

const buildUnknown = (): string =>
  buildBody('payment_intent.succeeded', { id: newId('pi'), object: 'payment_intent', metadata: {} })

/** Signs and posts events with a secret of an endpoint. */
export const createEvents = (secret: string, post: Post): Events => {
  let sending: Sending = 'now'
  let build = buildBody
  let held: Held[] = []
  const send = (body: string, key = secret, age = 0): Promise<number> => {
    const timestamp = Math.floor(Date.now() / 1000) - age
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: key, timestamp })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return post({ query: '', headers, body })
  }
  return {
    notify: (type, object) => {
      if (sending === 'never') return
      const body = build(type, object)
      if (sending === 'held') held.push({ type, body })
      // Whoever stopped listening is told nothing; the school looks up by itself.
      else void send(body).catch(() => undefined)
    },
    setThin: isThin => {
      build = isThin ? buildThin : buildBody
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
        statuses.push(await send(one.body))
      }
      return statuses
    },
    drop: () => {
      held = []
    },
    deliverUnknown: () => send(buildUnknown()),
    deliverAged: seconds => send(buildUnknown(), secret, seconds),
    deliverForged: paymentId =>
      send(
        buildBody('payment_intent.succeeded', {
          id: newId('pi'),
          object: 'payment_intent',
          metadata: { stoa_payment: paymentId },
        }),
        `whsec_${randomBytes(12).toString('hex')}`,
      ),
  }
}
