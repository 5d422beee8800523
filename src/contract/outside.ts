/** How other systems are reached: an argument, so that tests can have theirs on this computer. */
export type Outside = {
  /** Every address of a host name. */
  resolve(host: string): Promise<readonly string[]>
  /** Whether connections to this address are allowed. */
  isAllowed(address: string): boolean
  /** The trusted certificates, in PEM; undefined: those of Node. */
  readonly ca: string | undefined
}
