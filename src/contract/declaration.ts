import { type CallLimit, errorsOfLimit } from './call-limit.ts'

/** The parts of a declaration that decide whether it makes sense; its types refuse most of the others. */
type Declared = {
  readonly id: string
  readonly route?: string | undefined
  readonly scope?: string | undefined
  readonly who: string
  readonly mode: string
  readonly confirm?: string | undefined
  readonly idempotency?: string | undefined
  readonly rateLimit?: CallLimit | undefined
}

// They concern a request of an app, and an operation without a route has none.
const ONLY_WITH_ROUTE = [
  'scope',
  'section',
  'status',
  'locationPath',
  'confirm',
  'confirmsAsShown',
  'idempotency',
  'ifMatch',
  'storedReply',
  'expand',
  'csv',
  'waits',
] as const

const errorsOfUnrouted = (declared: Declared): string[] => [
  ...ONLY_WITH_ROUTE.filter(name => Reflect.get(declared, name) !== undefined).map(
    name => `has no route, so it cannot have ${name}`,
  ),
  ...(declared.mode === 'stream' ? ['has no route, so its mode must be read, write or outside'] : []),
]

const errorsOfRouted = ({ scope, confirm, idempotency, mode, who }: Declared): string[] => [
  ...(scope === undefined ? ['has a route and no scope; an open operation has the scope none'] : []),
  ...(confirm === 'person' && (mode !== 'write' || who === 'anyone')
    ? ['is confirmed by a person, so it must have the mode write and not be for anyone']
    : []),
  // A key belongs to a member and a client.
  ...(idempotency === 'required' && (mode !== 'write' || who === 'anyone')
    ? ['requires Idempotency-Key, so it must have the mode write and not be for anyone']
    : []),
]

/** Throws when a declaration contradicts itself, so that the server does not start with it. */
export const refuseDeclaration = (declared: Declared): void => {
  const { route, rateLimit } = declared
  const errors = [
    ...(route === undefined ? errorsOfUnrouted(declared) : errorsOfRouted(declared)),
    ...errorsOfLimit(rateLimit, declared),
  ]
  if (errors.length > 0) throw new Error(`the operation ${declared.id} ${errors.join(', and ')}`)
}
