import type { Static } from 'typebox'
import type { CreditEntries } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type PageContext, showDay } from '#src/web/page/index.ts'

const { ledger: text } = texts.account.subscriptions.subscription

type Entry = Encoded<Static<typeof CreditEntries>>[number]

/** Who reads the ledger, and the currency of the subscription. */
type Reading = {
  readonly currency: string
  readonly language: Language
  readonly person: PageContext['viewer']
}

const givenText = ({ from }: Entry, amount: string, language: Language): string => {
  if (from === null) return fill(text.givenBefore, language, { amount })
  const interval = fill(text.intervals[from.interval ?? 'other'], language)
  return fill(text.given, language, { amount, name: from.name, interval, number: from.order.number })
}

/** What an entry of the ledger of a credit did, in words. */
const entryText = (entry: Entry, { currency, language }: Reading): string => {
  const amount = formatMoney(Math.abs(entry.amount), currency, language)
  if (entry.kind === 'given') return givenText(entry, amount, language)
  if (entry.kind === 'paid_back' && entry.from === null) return fill(text.transferred, language, { amount })
  const number = (entry.order ?? entry.from?.order)?.number ?? ''
  return fill(text[entry.kind], language, { amount, number })
}

/** The ledger of the credit of a subscription, the latest first; nothing where there never was one. */
export const creditList = (entries: readonly Entry[], reading: Reading): Html | false =>
  entries.length > 0 &&
  html`<h2>${fill(text.title, reading.language)}</h2>
<ul class="list">
${entries.map(
  entry =>
    html`<li><span><bdi>${entryText(entry, reading)}</bdi></span> <span class="quiet">· ${showDay(entry.at, reading.language, reading.person)}</span></li>\n`,
)}</ul>
`
