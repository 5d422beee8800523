import { html } from '#src/kit/html.ts'
import type { Action } from '../payment-suite/provider.ts'
import type { Place } from './bank.ts'
import type { Session } from './books.ts'
import { act } from './buyer.ts'

const buttons = ['pay', 'decline', 'decline_finally', 'ask_person', 'take_long', 'leave'] as const
const labels: Readonly<Record<(typeof buttons)[number] | 'authenticate', string>> = {
  pay: 'Pay',
  decline: 'Pay with a card that is declined',
  decline_finally: 'Pay with a card that is lost',
  ask_person: 'Pay with a card that asks for authentication',
  take_long: 'Pay by SEPA Direct Debit',
  leave: 'Back',
  authenticate: 'Complete authentication',
}

const isAsked = ({ store }: Place, { payment_intent, setup_intent }: Session): boolean =>
  (store.intents.get(payment_intent ?? '') ?? store.setups.get(setup_intent ?? ''))?.status === 'requires_action'

const listButtons = (place: Place, session: Session): readonly (keyof typeof labels)[] => {
  if (session.status !== 'open') return []
  if (isAsked(place, session)) return ['authenticate', 'decline', 'leave']
  return buttons.filter(name => name !== 'take_long' || !session.excluded_payment_method_types.includes('sepa_debit'))
}

/** The page of a session, with a button for all that a buyer may do. */
export const renderPage = (place: Place, session: Session): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Checkout</title><meta name="viewport" content="width=device-width"></head>
<body><main><h1>Checkout</h1>
<p role="status">${session.status === 'open' ? 'Choose how to pay.' : `This page is ${session.status}.`}</p>
<p>${session.mode === 'setup' ? 'Save a payment method' : `${session.amount_total} ${session.currency.toUpperCase()}`}</p>
<form method="post" action="/c/pay/${session.id}">
${listButtons(place, session).map(name => html`<p><button name="does" value="${name}">${labels[name]}</button></p>\n`)}</form>
</main></body></html>`.html

/** Does what a button says; returns where the browser goes next. */
export const pressButton = (place: Place, session: Session, form: string): string => {
  const name = new URLSearchParams(form).get('does')
  const does = listButtons(place, session).find(one => one === name)
  if (does === undefined) return session.url
  act(place, session.metadata.stoa_payment ?? '', { does } satisfies Action)
  if (does === 'leave') return session.cancel_url ?? session.url
  return session.status === 'open' ? session.url : session.success_url
}
