import { BlockList, isIP } from 'node:net'

const dotted = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

// RFC 4291 §2.2: the last two groups may be written as an IPv4 address.
const withoutTail = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_tail, ...numbers) => {
    const [a = 0, b = 0, c = 0, d = 0] = numbers.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })

const parseGroups = (address: string): number[] => {
  const [head = '', tail] = withoutTail(address).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].map(group => Number.parseInt(group, 16))
}

const isMapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff

// One spelling of each address: IPv4 as four numbers, also where it is mapped into IPv6; IPv6 as eight groups.
const plainAddress = (address: string): string | undefined => {
  if (isIP(address) === 4) return address
  if (isIP(address) !== 6) return undefined
  const groups = parseGroups(address.split('%')[0] ?? '')
  if (isMapped(groups)) return dotted(groups[6], groups[7])
  return groups.map(group => group.toString(16)).join(':')
}

/** The network a limit is counted for: an IPv4 address, or the /64 of an IPv6 address; unknown addresses share one. */
export const toNetwork = (address: string): string => {
  const plain = plainAddress(address) ?? 'unknown'
  return plain.includes(':') ? `${plain.split(':').slice(0, 4).join(':')}::/64` : plain
}

/** A network of `toNetwork`, cut so that it no longer tells a household: the /24 of an IPv4 address, or an IPv6 /48. */
export const coarseNetwork = (network: string): string => {
  if (network.includes(':')) return `${network.split(':').slice(0, 3).join(':')}::/48`
  return isIP(network) === 4 ? `${network.split('.').slice(0, 3).join('.')}.0/24` : network
}

/** A network that contains others, and by which factor its limit is higher. */
type WiderNetwork = { readonly network: string; readonly factor: number }

// One customer may have a /48 with 65,536 networks; one provider has a /32.
const WIDER = [
  { groups: 3, bits: 48, factor: 4 },
  { groups: 2, bits: 32, factor: 16 },
]

/** The wider networks that contain an IPv6 network of `toNetwork`; none for IPv4, where addresses are scarce. */
export const widerNetworks = (network: string): WiderNetwork[] => {
  if (!network.includes(':')) return []
  return WIDER.map(({ groups, bits, factor }) => ({
    network: `${network.split(':').slice(0, groups).join(':')}::/${bits}`,
    factor,
  }))
}

/**
 * Reads one element of X-Forwarded-For: an address, with a port as some proxies write it (`192.0.2.1:4711`,
 * `[2001:db8::1]:443`), or in the syntax of RFC 7239 §4 (`for="[2001:db8::1]:443"`). Undefined for anything else.
 */
export const forwardedAddress = (element: string): string | undefined => {
  if (isIP(element) !== 0) return element
  const [, node = element] = /^for=([^;]*)/i.exec(element) ?? []
  const text = node.replace(/^"(.*)"$/, '$1')
  if (isIP(text) !== 0) return text
  const [, six, four = '', port = '0'] = /^(?:\[([^[\]]*)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (Number(port) > 65_535) return undefined
  if (six !== undefined) return isIP(six) === 6 ? six : undefined
  return isIP(four) === 4 ? four : undefined
}

const MOST_ADDRESSES = 1000

/** A test of addresses against a list of networks such as `10.0.0.0/8, ::1`; throws on a malformed entry. */
export const networks = (list: string): ((address: string) => boolean) => {
  const block = new BlockList()
  for (const entry of list
    .split(',')
    .map(text => text.trim())
    .filter(text => text !== '')) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) throw new Error(`"${entry}" is not a network`)
    block.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const isWithin = (address: string): boolean => {
    const plain = plainAddress(address)
    return plain !== undefined && block.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
  }
  // Most requests come from a few proxies.
  const known = new Map<string, boolean>()
  return address => {
    const cached = known.get(address)
    if (cached !== undefined) return cached
    const within = isWithin(address)
    if (known.size >= MOST_ADDRESSES) known.clear()
    known.set(address, within)
    return within
  }
}
