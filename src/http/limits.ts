/** Every limit of the HTTP side in one place; sizes in bytes, times in milliseconds unless said otherwise. */
export const limits = {
  body: 1_000_000,
  headers: 16_384,
  query: 8192,
  parameters: 100,
  stringDefault: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  // While a request or its answer is under way; between two of them keep-alive counts.
  stalledSocket: 30_000,
  /** Files on their way at once: of all, of these kept for staff and lecturers, and of one person. */
  uploads: { all: 200, reserved: 40, perPerson: 20, personShare: 1 / 4 },
  /** How many bytes of a file must come within the time that is spent waiting for it. */
  contentWait: 10_000,
  contentLeast: 65_536,
  /** How long nobody may take anything of an answer in pieces; Node looks once more before it closes, so up to twice that. */
  stalled: 15_000,
  drain: 10_000,
  farewell: 500,
  /** How often a server that closes looks for connections that became idle. */
  idleLook: 25,
  connections: 10_000,
  requestId: 128,
  idempotencyKey: 255,
  schoolAge: 1000,
  confirmations: 20,
} as const

/** A rate: how many requests within how many seconds. */
export type Rate = { readonly requests: number; readonly seconds: number }

/** The API's own rates, counted per process. */
export const rates = {
  network: { requests: 6000, seconds: 60 },
  grant: { requests: 3000, seconds: 60 },
} as const satisfies Record<string, Rate>
