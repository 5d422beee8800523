import type { ClientRegistry } from '#src/contract/clients.ts'
import { hook } from '#src/contract/hook.ts'

/** The registry of clients, which belongs to the authorization server. */
export const clientRegistry = hook<undefined, ClientRegistry>('clientRegistry')
