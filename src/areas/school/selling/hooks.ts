import { hook } from '#src/contract/hook.ts'
import type { ProviderCounts } from './providers/schema.ts'

/** Asks later areas whether an id is that of a page of the school, by the id of its row. */
export const isPage = hook<{ readonly pageId: string }, boolean>('isPage')

/** Asks later areas which version of a page people see, by the id of its row; null where they see none. */
export const publishedVersionOf = hook<{ readonly pageId: string }, number | null>('publishedVersionOf')

/** Asks later areas whether the school has orders that were paid. */
export const hasPaidOrders = hook<undefined, boolean>('hasPaidOrders')

/** What a later area knows of a provider. */
type KnownOfProvider = Partial<ProviderCounts> & {
  /** Whether payments by it succeeded lately without any notice. */
  readonly isSilent?: boolean
}

/** Asks later areas how much of theirs needs a provider, each for counts of its own. */
export const providerNeeds = hook<{ readonly provider: string }, KnownOfProvider>('providerNeeds')
