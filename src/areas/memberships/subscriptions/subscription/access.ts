import type { Operator, SignedIn } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import type { SubscriptionRow } from './conditions.ts'
import { findByExternalId, findSubscription } from './queries.ts'
import type { SubscriptionView } from './schema.ts'
import { subscriptionView } from './views.ts'
import { type ChangedBy, lockSubscription } from './writes.ts'

const EXTERNAL = 'external:'

const noSubscription = (): Refusal => new Refusal(notFound, 'There is no such subscription.')

const resolveId = async ({ db, school }: SchoolContext, ref: string): Promise<string> => {
  if (!ref.startsWith(EXTERNAL)) return ref
  const id = await findByExternalId(db, school.id, ref.slice(EXTERNAL.length))
  if (id === undefined) throw noSubscription()
  return id
}

/** The subscription that a path names, of a member if one is given; 404 when there is none. */
export const getSubscription = async (
  context: SchoolContext,
  ref: string,
  memberId?: string,
): Promise<SubscriptionRow> => {
  const row = await findSubscription(context.db, context.school.id, { id: await resolveId(context, ref), memberId })
  if (row === undefined) throw noSubscription()
  return row
}

/** The same, locked with its member until the transaction ends. */
export const lockNamed = async (context: SchoolContext, ref: string, memberId?: string): Promise<SubscriptionRow> => {
  const found = await getSubscription(context, ref, memberId)
  const row = await lockSubscription(context, found.id)
  if (row === undefined || (memberId !== undefined && row.member_id !== memberId)) throw noSubscription()
  return row
}

/** Who is behind a call, for the changes of a subscription. */
export const buildCaller = ({ caller }: { readonly caller: SignedIn | Operator }): ChangedBy =>
  caller.member === undefined ? {} : { memberId: caller.member.id, clientId: caller.clientId }

type Changing = Pick<WriteContext<SignedIn | Operator>, 'db' | 'school' | 'changed' | 'record'>

/** Records what a call changed of a subscription, and returns the subscription as it is now. */
export const changedView = async (
  context: Changing,
  before: SubscriptionRow,
  { facts, fields }: { readonly facts: readonly Fact[]; readonly fields: readonly string[] },
): Promise<SubscriptionView> => {
  const row = await getSubscription(context, before.id)
  if (row.revision !== before.revision) {
    const { revision, member_id: memberId } = row
    context.changed({ ids: [toId('sub', row.id)], fields: [...fields], revision, memberId })
  }
  for (const fact of facts) context.record(fact)
  return subscriptionView(context, row)
}
