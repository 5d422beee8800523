/** The limits of the HTTP server; sizes are in bytes and times in milliseconds, unless a comment says otherwise. */
export const limits = {
  body: 1_000_000,
  headers: 16_384,
  query: 8192,
  parameters: 100,
  stringDefault: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  // During a request or its response; between requests keep-alive applies.
  stalledSocket: 30_000,
  /** Concurrent uploads: in total, of these reserved for staff and lecturers, and per person. */
  uploads: { all: 200, reserved: 40, perPerson: 20, personShare: 1 / 4 },
  /** Concurrent uploads without a token, which are part of those in total; a person is a network. */
  anonymousUploads: { all: 40, reserved: 0, perPerson: 4, personShare: 1 / 4 },
  /** Concurrent forms with files, which are part of the uploads in total; their files wait on this computer's disk. */
  forms: { all: 40, reserved: 8, perPerson: 2, personShare: 1 / 4 },
  /** At least `contentLeast` bytes of a file must arrive per `contentWait` spent waiting for it. */
  contentWait: 10_000,
  contentLeast: 65_536,
  /** How long the client may read nothing of a streamed response; Node checks twice before it closes, so up to double that. */
  stalled: 15_000,
  drain: 10_000,
  farewell: 500,
  /** How often a closing server looks for idle connections. */
  idleLook: 25,
  connections: 10_000,
  /**
   * Requests that are handled at once, and how many more of schools of which none is handled; while another school was served
   * within `recent`, how often the event loop is looked at, and the part of the time in which it runs that is too much. `wait` is
   * for a request in a queue that does not move.
   */
  entrance: { places: 32, spare: 32, recent: 1000, look: 50, busy: 0.9, wait: 10_000 },
  /**
   * Requests that wait for facts: of all schools, of one, how often the database is looked at where no notification arrives, how
   * rarely those of a school are woken, and in how many seconds whoever finds no place may ask again.
   */
  waiting: { places: 500, schoolPlaces: 20, look: 1000, pace: 250, retryAfter: 5 },
  requestId: 128,
  idempotencyKey: 255,
  /** How long a school and a response without a token are used after they were read; the documented limit is 1000. */
  schoolAge: 900,
  publicAge: 900,
  /** The largest response that is cached, and all of them together. */
  publicBody: 262_144,
  publicBytes: 33_554_432,
  /** The smallest content that is compressed, and how much of a list as CSV is compressed before it is sent. */
  compressedFrom: 1400,
  flushedAfter: 65_536,
  /** Assets and documents that were compressed once, all together. */
  keptBytes: 16_777_216,
  confirmations: 20,
} as const

/** A rate: how many requests within how many seconds. */
export type Rate = { readonly requests: number; readonly seconds: number }

/** The API's own rates, counted per process. */
export const rates = {
  network: { requests: 6000, seconds: 60 },
  grant: { requests: 3000, seconds: 60 },
} as const satisfies Record<string, Rate>
