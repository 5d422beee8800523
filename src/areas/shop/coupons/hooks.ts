import { hook } from '#src/contract/hook.ts'

/** Called to find out whether a member has bought anything, for coupons that are for the first purchase only. */
export const hasBought = hook<{ readonly memberId: string }, boolean>('hasBought')
