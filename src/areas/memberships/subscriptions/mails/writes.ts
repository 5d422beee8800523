import { dayText, findReader, listStaffReaders, periodText, type Reader } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { toLanguage } from '#src/contract/language.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { recordMail } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import { findSubscription } from '../subscription/queries.ts'

/** How a reader reads amounts, days and periods. */
export type Words = {
  money(amount: number, currency: string): string
  day(at: Date): string
  period(from: Date, until: Date): string
}

/** What a mail about a subscription says to one reader; its link leads to the subscription unless it says where. */
export type Content = {
  readonly kind: MailKind
  readonly values?: Readonly<Record<string, string>>
  readonly link?: string
}

/** A fact about a subscription, as far as it says which one. */
export type AboutSubscription = { readonly payload: { readonly subscription_id: string } }

/** The subscription that a fact is about; undefined when it is about something else. */
export const findFactSubscription = async (
  { payload }: AboutSubscription,
  { db, school }: TransactionContext,
): Promise<SubscriptionRow | undefined> => {
  const id = fromId('sub', payload.subscription_id)
  return id === undefined ? undefined : findSubscription(db, school.id, { id })
}

const createWords = (reader: Reader): Words => ({
  money: (amount, currency) => formatMoney(amount, currency, toLanguage(reader.locale)),
  day: at => dayText(at, reader),
  period: (from, until) => periodText(from, until, reader),
})

const send = (
  { db, school, now }: TransactionContext,
  { name }: SubscriptionRow,
  reader: Reader,
  { kind, values = {}, link = '' }: Content,
) => recordMail(db, school.id, reader.id, { kind, values: { item: name, ...values }, link }, now)

/** Mails the member of a subscription what there is to say; does nothing once they were deleted. */
export const mailMember = async (
  context: TransactionContext,
  subscription: SubscriptionRow,
  compose: (words: Words) => Content | undefined,
): Promise<void> => {
  const reader = await findReader(context.db, context.school.id, subscription.member_id)
  const content = reader && compose(createWords(reader))
  if (reader === undefined || content === undefined) return
  const link = `/account/subscriptions/${toId('sub', subscription.id)}`
  await send(context, subscription, reader, { link, ...content })
}

/** Mails every owner and admin about a subscription; the mail does not name the member. */
export const mailStaff = async (
  context: TransactionContext,
  subscription: SubscriptionRow,
  kind: MailKind,
  valuesFor: (words: Words) => Readonly<Record<string, string>> = () => ({}),
): Promise<void> => {
  const link = `/staff/subscriptions/${toId('sub', subscription.id)}`
  for (const reader of await listStaffReaders(context.db, context.school.id))
    await send(context, subscription, reader, { kind, link, values: valuesFor(createWords(reader)) })
}
