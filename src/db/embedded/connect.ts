import pg from 'pg'

/** Where a server listens: a folder with its Unix socket, or a host; passwords only where a host is shared. */
export type Address = { host: string; port: number; passwords?: Passwords }

/** The generated passwords of the two logins. */
export type Passwords = { stoa_owner: string; stoa_app: string }

/** The URL of a login, in a form that `pg`, libpq and `new URL` all take. */
export function buildUrl(address: Address, user: keyof Passwords, database: string): string {
  const login = address.passwords ? `${user}:${encodeURIComponent(address.passwords[user])}` : user
  // The host in the query wins over the one before it; PGSSLMODE of the surroundings is meant for other servers.
  const query = `host=${encodeURIComponent(address.host)}&port=${address.port}&sslmode=disable`
  return `postgres://${login}@localhost/${database}?${query}`
}

/** Connects once; rejects when the server does not take connections. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // A server that ends takes its connections along; whoever waits for an answer learns it from there.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
}

/** Whether a server is there at this URL, even one that says it is not ready. */
export async function answers(url: string): Promise<boolean> {
  try {
    const client = await connect(url)
    await client.end()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  }
}
