import type { IdPrefix } from '#src/kit/ids.ts'

/** What an entry of a member's activity can be. */
export const kinds = ['did', 'happened', 'signed_in', 'security'] as const

/** One of these values. */
export type ActivityKind = (typeof kinds)[number]

const prefixes: Readonly<Record<ActivityKind, IdPrefix>> = {
  did: 'aud',
  happened: 'aud',
  signed_in: 'ses',
  security: 'sev',
}

/** The kind of id that an entry has. */
export const getIdPrefix = (kind: ActivityKind): IdPrefix => prefixes[kind]
