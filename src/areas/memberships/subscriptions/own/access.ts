import type { SignedIn } from '#src/contract/caller.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { changedView, lockNamed } from '../subscription/access.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'

type OwnContext = WriteContext<SignedIn> & { readonly params: { readonly subscription_id: string } }

/** The caller's own subscription in a path, locked with its member until the transaction ends, as `If-Match` names it. */
export const lockOwn = async (context: OwnContext): Promise<SubscriptionRow> => {
  const { caller, params, requireMatch } = context
  const row = await lockNamed(context, params.subscription_id, caller.member.id)
  await requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
  return row
}
