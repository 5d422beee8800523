import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Address, Passwords } from './connect.ts'
import { run } from './way.ts'

/** A free port on this machine and the passwords that keep its other users out. */
export async function windowsAddress(dataFolder: string): Promise<Address> {
  return { host: '127.0.0.1', port: await freePort(), passwords: await readPasswords(dataFolder) }
}

/** The arguments that initdb needs on Windows; calls back with the owner's password in a file for as long as that takes. */
export async function withPasswordFile(dataFolder: string, initialise: (words: string[]) => Promise<void>) {
  const file = join(dataFolder, 'postgres.owner-password')
  await writeFile(file, (await readPasswords(dataFolder)).stoa_owner, { mode: 0o600 })
  try {
    await initialise(['--auth=scram-sha-256', `--pwfile=${file}`])
  } finally {
    await rm(file, { force: true })
  }
}

/** Stops the server of a cluster, which there are no signals for on Windows. */
export async function stopWithPgCtl(binFolder: string, cluster: string): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const words = ['stop', '-D', cluster, '-m', mode, '-t', '10']
    if ((await run({ words: [] }, join(binFolder, 'pg_ctl.exe'), words)).ok) return
  }
}

async function readPasswords(dataFolder: string): Promise<Passwords> {
  const file = join(dataFolder, 'postgres.passwords')
  const passwords = {
    stoa_owner: randomBytes(24).toString('base64url'),
    stoa_app: randomBytes(24).toString('base64url'),
  }
  try {
    await writeFile(file, JSON.stringify(passwords), { mode: 0o600, flag: 'wx' })
    return passwords
  } catch {
    return JSON.parse(await readFile(file, 'utf8'))
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
