import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { folder, packages } from './install.ts'

// The command itself, without the launcher that first asks the registry for a newer version.
const MAIN = join(packages, '@directus/api/dist/cli/run.js')

/** The token of its administrator, which the first start creates. */
export const ADMIN_TOKEN = 'administrator-of-the-bench'

/** A database, the port, and whether responses are cached. */
export type DirectusSettings = { readonly databaseUrl: string; readonly port: number; readonly isCached?: boolean }

// Nothing listens there: without a licence it reports its use, whatever TELEMETRY says.
const NOWHERE = 'http://127.0.0.1:9'

// A socket's folder is a parameter of the address, which Directus takes as a host of its own.
const buildDatabase = (databaseUrl: string): NodeJS.ProcessEnv => {
  const { username, password, hostname, port, pathname, searchParams } = new URL(databaseUrl)
  return {
    ...{ DB_CLIENT: 'pg', DB_HOST: searchParams.get('host') ?? hostname, DB_PORT: searchParams.get('port') ?? port },
    ...{ DB_DATABASE: pathname.slice(1), DB_USER: decodeURIComponent(username) },
    ...{ DB_PASSWORD: decodeURIComponent(password), DB_POOL__MAX: '10' },
  }
}

const environment = ({ databaseUrl, port, isCached = false }: DirectusSettings): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'error' },
  ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
  ...{ SECRET: 'secret-of-the-bench', ...buildDatabase(databaseUrl) },
  ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'password-of-the-bench', ADMIN_TOKEN },
  ...{ TELEMETRY: 'false', TELEMETRY_URL: NOWHERE, COMPLIANCE_URL: NOWHERE, EMAIL_VERIFY_SETUP: 'false' },
  // Otherwise it answers 503 as soon as a core is busy, which is what is measured.
  PRESSURE_LIMITER_ENABLED: 'false',
  // A write empties the cache; without that, reads would be old for as long as the cache keeps them.
  ...(isCached ? { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_AUTO_PURGE: 'true' } : {}),
})

const run = (command: 'bootstrap' | 'start', settings: DirectusSettings): ChildProcess => {
  const child = spawn(process.execPath, [MAIN, command], {
    cwd: folder,
    env: environment(settings),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // A bench that fails leaves no server behind.
  const end = (): void => void child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/** Creates its tables and its administrator in an empty database. */
export const bootstrapDirectus = async (settings: DirectusSettings): Promise<void> => {
  const [code] = await once(run('bootstrap', settings), 'exit')
  if (code !== 0) throw new Error(`the first start of Directus ended with ${code}`)
}

/** Starts it; `/server/ping` answers as soon as it serves requests. */
export const startDirectus = (settings: DirectusSettings): ChildProcess => run('start', settings)
