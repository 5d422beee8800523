import type { Look } from './look.ts'

/** The lifetimes of the codes and tokens of a school's authorization server, in seconds; each school sets them within bounds. */
export type TokenLifetimes = {
  /** A code, from approval to its exchange. */
  readonly code: number
  /** An access token; never past its family or grant. */
  readonly access: number
  /** An unused refresh family. */
  readonly idle: number
  /** A refresh family, whether it is used or not. */
  readonly family: number
}

/** The school of a request, with what every area may know of it. */
export type School = {
  readonly id: string
  /** An origin without a trailing slash; it is also the issuer, byte for byte. */
  readonly baseUrl: string
  /** The origin of its pages for people: the base URL, unless that is an address literal of this computer. */
  readonly siteOrigin: string
  readonly name: string
  /** The host of its uploaded pages, such as `pages.example.org`. */
  readonly pagesHost?: string | null
  readonly locale: string
  /** An IANA name, such as `Europe/Lisbon`. */
  readonly timeZone: string
  /** An ISO 4217 code: that of its prices. */
  readonly currency: string
  /** Who may create an account: anybody, invited people, or nobody. */
  readonly signupMode: 'open' | 'invite' | 'closed'
  /** Whether test payments and a shifted clock are allowed. */
  readonly isTest: boolean
  readonly lifetimes: TokenLifetimes
  /** The published appearance; null or undefined for the built-in one. */
  readonly look?: Look | null
}

/** Whether a school is served without TLS, only on this computer: its cookies are sent to every port of the host. */
export const isOnLoopback = ({ baseUrl }: Pick<School, 'baseUrl'>): boolean => baseUrl.startsWith('http:')
