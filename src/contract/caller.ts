/** The roles of members, from the one with the fewest rights to the one with the most. */
export const roles = ['member', 'lecturer', 'admin', 'owner'] as const

/** One of the four roles. */
export type Role = (typeof roles)[number]

/** How a person on a page must have proved who they are: recently, or recently with a second factor as well. */
export type Proof = 'recent' | 'second_factor'

/** The member that a token was issued for. */
export type CallingMember = { readonly id: string; readonly role: Role }

/** Who calls an operation and with what token; `member` is undefined for an anonymous request. */
export type Caller = {
  readonly member: CallingMember | undefined
  readonly clientId: string | undefined
  readonly grantId: string | undefined
  readonly scopes: ReadonlySet<string>
  /** Whether a person on a page proved recently who they are. */
  readonly hasRecentProof?: boolean
  /** Set for the operator of the installation, who runs commands and has no account. */
  readonly isOperator?: true
}

/** A caller who is a member: with a valid token, or signed in on a page of the school without an app. */
export type SignedIn = Caller & { readonly member: CallingMember }

/** A caller with a valid token. */
export type WithToken = SignedIn & { readonly clientId: string; readonly grantId: string }

/** The operator of the installation, who performs operations with commands. */
export type Operator = Caller & { readonly member: undefined; readonly isOperator: true }

/** The caller of a request without a token. */
export const anonymous: Caller = { member: undefined, clientId: undefined, grantId: undefined, scopes: new Set() }

/** The operator as a caller. */
export const operator: Operator = { ...anonymous, member: undefined, isOperator: true }

/** Whether a role has at least the rights of the role `least`. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

/** Whether a caller is staff: an admin, an owner or the operator. */
export const isStaff = ({ member, isOperator }: Caller): boolean =>
  isOperator === true || (member !== undefined && isAtLeast(member.role, 'admin'))
