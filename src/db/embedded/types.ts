import type { EmbeddedFailed } from './errors.ts'
import type { LaunchMethod } from './way.ts'

/** Whether the server runs, is being started again after it ended by itself, or cannot run for lack of room. */
export type EmbeddedState = 'running' | 'restarting' | 'disk_full'

/** What happened to a supervised server; `how` and `reason` are for the log. */
export type ServerEvent =
  | { kind: 'stopped'; how: string; failure: string; reason?: string | undefined; nextStartInMs: number }
  | { kind: 'restarted' }

/** An open embedded server, whether it was started here or joined. */
export type Embedded = {
  /** postgres:// URL of the superuser `stoa_owner` on the database `stoa`. */
  ownerUrl: string
  /** postgres:// URL of `stoa_app`, the login that owns nothing, on the database `stoa`. */
  appUrl: string
  startedHere: boolean
  /** How the server does, as far as this process looks after it. */
  state(): EmbeddedState
  /** Stops the server if it was started here, and returns the data folder back; may be called again. */
  stop(): Promise<void>
}

/** How to open the embedded server; `durable: false` is for tests, `binFolder` holds another PostgreSQL's programs. */
export type EmbeddedOptions = {
  dataFolder: string
  mode: 'serve' | 'command'
  log: (line: string) => void
  binFolder?: string | undefined
  durable?: boolean | undefined
  /** Set: a server that ends by itself is started again, and `onGivenUp` is called when that is of no use. */
  supervision?: { onEvent(event: ServerEvent): void; onGivenUp(error: EmbeddedFailed): void } | undefined
}

/** Where the cluster of a data folder lies, and whose it is once it exists. */
export type Cluster = { folder: string; owner?: { uid: number; gid: number } }

/** What is known before a plan is made. */
export type Circumstances = { dataFolder: string; cluster: Cluster; binFolder: string; log: (line: string) => void }

/** How this process runs PostgreSQL: in which way, with which binaries, on which cluster. */
export type Plan = { way: LaunchMethod; binFolder: string; version: string; cluster: string }
