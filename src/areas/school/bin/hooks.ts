import type { SignedIn } from '#src/contract/caller.ts'
import type { Statement } from '#src/contract/db.ts'
import { hook } from '#src/contract/hook.ts'

/** Called for what somebody who is not of the staff may restore: each area answers with a statement of the ids of its things. */
export const ownBinned = hook<{ readonly caller: SignedIn }, Statement>('ownBinned')
