import { BlockList, isIP } from 'node:net'

/** The network a limit is counted for: an IPv4 address, or the /64 of an IPv6 address; unknown addresses share one. */
export const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(plain) === 4) return plain
  if (isIP(plain) !== 6) return 'unknown'
  return `${expand(plain.split('%')[0] ?? '')
    .slice(0, 4)
    .join(':')}::/64`
}

const expand = (address: string): string[] => {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].map(group => Number.parseInt(group, 16).toString(16))
}

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
  return address => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const family = isIP(plain)
    return family !== 0 && block.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}
