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
}
