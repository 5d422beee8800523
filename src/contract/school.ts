/** The school a request is for, as every room may know it. */
export type School = {
  readonly id: string
  /** An origin without a trailing slash; it is also the issuer, byte for byte. */
  readonly baseUrl: string
  readonly name: string
  readonly locale: string
  /** Whether test payments and a moved clock are allowed here. */
  readonly isTest: boolean
}
