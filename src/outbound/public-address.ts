import { isIP } from 'node:net'
import { networks } from '#src/kit/net.ts'

// IANA IPv4 Special-Purpose Address Registry, whole, with multicast (RFC 5771).
const special4 = networks(`
  0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.0.2.0/24,
  192.31.196.0/24, 192.52.193.0/24, 192.88.99.0/24, 192.168.0.0/16, 192.175.48.0/24, 198.18.0.0/15, 198.51.100.0/24,
  203.0.113.0/24, 224.0.0.0/4, 240.0.0.0/4`)

// RFC 4291 §2.4: the range of global unicast; loopback, mapped, NAT64, local and multicast addresses are outside it.
const unicast6 = networks('2000::/3')

// IANA IPv6 Special-Purpose Address Registry within that: protocol assignments with Teredo and ORCHID, documentation,
// 6to4, AS112.
const special6 = networks('2001::/23, 2001:db8::/32, 2002::/16, 2620:4f:8000::/48, 3fff::/20')

/** Whether an address is a public one on the Internet, without a special purpose. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !special4(address)
  return family === 6 && !address.includes('%') && unicast6(address) && !special6(address)
}
