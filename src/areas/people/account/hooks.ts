import { hook } from '#src/contract/hook.ts'

/** Called when a member disconnects an app, in the transaction that ends its access. */
export const appDisconnected = hook<
  { readonly memberId: string; readonly clientId: string; readonly now: Date },
  unknown
>('appDisconnected')
