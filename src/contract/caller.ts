/** What a member may do in the school. */
export const roles = ['member', 'lecturer', 'admin', 'owner'] as const

/** One of the four roles, from the least to the most. */
export type Role = (typeof roles)[number]

/** The member a token speaks for. */
export type CallingMember = { readonly id: string; readonly role: Role }

/** Who calls an operation and with what token; `member` is undefined for an anonymous request. */
export type Caller = {
  readonly member: CallingMember | undefined
  readonly clientId: string | undefined
  readonly grantId: string | undefined
  readonly scopes: ReadonlySet<string>
}

/** A caller who is somebody: behind a living token, or signed in on a page of the school, without an app. */
export type SignedIn = Caller & { readonly member: CallingMember }

/** A caller who presented a living token. */
export type WithToken = SignedIn & { readonly clientId: string; readonly grantId: string }

/** The caller of a request without a token. */
export const anonymous: Caller = { member: undefined, clientId: undefined, grantId: undefined, scopes: new Set() }

/** Whether a role may do what at least `least` may do. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

/** Whether a caller runs the school: an admin or an owner. */
export const isStaff = ({ member }: Caller): boolean => member !== undefined && isAtLeast(member.role, 'admin')
