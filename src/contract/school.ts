/** How long what a school's authorization server gives out lives, in seconds; each school sets it within bounds. */
export type TokenLifetimes = {
  /** A code, from approval to its exchange. */
  readonly code: number
  /** An access token; never past its family or grant. */
  readonly access: number
  /** A refresh family that lies unused. */
  readonly idle: number
  /** A refresh family at most. */
  readonly family: number
}

/** The school a request is for, as every room may know it. */
export type School = {
  readonly id: string
  /** An origin without a trailing slash; it is also the issuer, byte for byte. */
  readonly baseUrl: string
  readonly name: string
  readonly locale: string
  /** Who may make an account: anybody, invited people, or nobody. */
  readonly signupMode: 'open' | 'invite' | 'closed'
  /** Whether test payments and a moved clock are allowed here. */
  readonly isTest: boolean
  readonly lives: TokenLifetimes
}
