import { Resolver } from 'node:dns/promises'

// A name server that does not respond is queried again, and then the next one; after that the name counts as
// unreachable, while the three seconds of a fetch leave time for the document.
const TIMEOUT_MS = 500
const TRIES = 2
const LONGEST_MS = 1500

const listAddresses = (results: readonly PromiseSettledResult<string[]>[]): string[] =>
  results.flatMap(result => (result.status === 'fulfilled' ? result.value : []))

const findReason = (results: readonly PromiseSettledResult<string[]>[]): unknown =>
  results.find(result => result.status === 'rejected')?.reason

/**
 * Queries name servers for every address of a name, those of the system by default. `dns.lookup` is not used, since it
 * blocks a thread of the process until the system's resolver gives up, and cannot be cancelled. So the hosts file and
 * search domains of this machine are not used: the host of a document must be in the public DNS.
 */
export const resolverAt =
  (servers?: readonly string[]) =>
  async (host: string): Promise<readonly string[]> => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const late = setTimeout(() => resolver.cancel(), LONGEST_MS)
    try {
      // One address family may be missing: only the returned addresses are checked and connected to.
      const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = listAddresses(results)
      if (addresses.length === 0) throw findReason(results)
      return addresses
    } finally {
      clearTimeout(late)
    }
  }
