import type { Touched } from '#src/areas/learning/access/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { dropReminders, putReminders } from './queries.ts'
import { AHEAD_MS } from './rules.ts'

// What renews by itself does not end, and the end of what is paid by the period is announced by its invoices.
const SOURCES: readonly Touched['source'][] = ['staff', 'import', 'gift', 'free', 'order_line']

/** Plans, moves or drops the mails that tell people a week before that their access ends. */
export const planReminders = async (
  { db, school, now }: TransactionContext,
  entitlements: readonly Touched[],
): Promise<void> => {
  const due = entitlements.flatMap(({ id, ends_at, revoked_at, source }) => {
    if (ends_at === null || revoked_at !== null || !SOURCES.includes(source)) return []
    const at = new Date(ends_at.getTime() - AHEAD_MS)
    return at > now ? [{ id, due_at: at }] : []
  })
  const others = entitlements.map(({ id }) => id).filter(id => !due.some(one => one.id === id))
  if (due.length > 0) await putReminders(db, school.id, due)
  if (others.length > 0) await dropReminders(db, school.id, others)
}
