import type { Outside } from '#src/contract/outside.ts'
import { networks } from '#src/kit/net.ts'
import { isPublicAddress } from './public-address.ts'
import { resolverAt } from './resolve.ts'

/** The public Internet: names from the system's name servers, public addresses only, Node's certificates. */
export const internet: Outside = {
  resolve: resolverAt(),
  isAllowed: isPublicAddress,
  ca: undefined,
}

/** The Internet with these networks beside it, a list as in `10.0.0.0/8, fd00::/8`. */
export const internetWith = (allowed: string): Outside => {
  const isListed = networks(allowed)
  return { ...internet, isAllowed: address => isPublicAddress(address) || isListed(address) }
}
