import type { Notice, Notices, Post, Sending } from '../payment-suite/provider.ts'
import { type BookedPayment, type Books, expirePages, newMollieId, readOurId } from './books.ts'

/** The notices of the server, and how it sends one of a payment. */
export type Sender = {
  readonly notices: Notices
  send(payment: BookedPayment): Promise<void>
  /** Ends the pages that are over by the clock, and sends their notices. */
  expire(): Promise<void>
}

// Mollie posts the id of the payment to the address that the payment was made with, and nothing else.
const buildNotice = (webhookUrl: string, id: string): Notice => ({
  query: new URL(webhookUrl).search.slice(1),
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mollie HTTP client/1.0' },
  body: new URLSearchParams({ id }).toString(),
  webhookUrl,
})

const changeLast = (text: string): string => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`

const getWebhook = (
  books: Books,
  fits: (payment: BookedPayment) => boolean,
): BookedPayment & { webhookUrl: string } => {
  const found = [...books.payments.values()].find(one => one.webhookUrl !== null && fits(one))
  if (found?.webhookUrl == null) throw new Error('no payment has an address for notices')
  return { ...found, webhookUrl: found.webhookUrl }
}

/** Sends notices by `post`, in the way that the suite sets. */
export const createSender = (books: Books, post: Post): Sender => {
  const held: Notice[] = []
  let sending: Sending = 'now'
  const send = async ({ webhookUrl, id }: BookedPayment): Promise<void> => {
    if (webhookUrl === null || sending === 'never') return
    const notice = buildNotice(webhookUrl, id)
    if (sending === 'now') await post(notice)
    else held.push(notice)
  }
  return {
    send,
    expire: async () => {
      for (const one of expirePages(books)) await send(one)
    },
    notices: {
      setSending: how => {
        sending = how
      },
      countHeld: () => held.length,
      deliver: async positions => {
        const statuses: number[] = []
        for (const position of positions) {
          const notice = held[position]
          if (notice === undefined) throw new Error(`there is no notice ${position}`)
          statuses.push(await post(notice))
        }
        return statuses
      },
      drop: () => void held.splice(0),
      deliverUnknown: () => post(buildNotice(getWebhook(books, () => true).webhookUrl, newMollieId('tr'))),
      deliverForged: paymentId => {
        const { webhookUrl, id } = getWebhook(books, one => readOurId(one.metadata, 'stoa_payment') === paymentId)
        return post(buildNotice(changeLast(webhookUrl), id))
      },
    },
  }
}
