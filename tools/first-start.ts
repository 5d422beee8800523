import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Somebody who clones the project and runs the README's two commands. */
type Newcomer = {
  readonly title: string
  readonly parent: string
  readonly uid: number | undefined
  readonly port: number
}

const NOBODY = 65_534

const say = (line: string): void => console.log(line)

const environment = (folder: string, newcomer: Newcomer): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('STOA_'))),
  ...(newcomer.uid === undefined ? {} : { HOME: folder, npm_config_cache: join(folder, '.npm') }),
  STOA_PORT: String(newcomer.port),
})

const as = (newcomer: Newcomer) => (newcomer.uid === undefined ? {} : { uid: newcomer.uid, gid: newcomer.uid })

const clone = async (newcomer: Newcomer): Promise<string> => {
  const folder = await mkdtemp(join(newcomer.parent, 'stoa-first-'))
  await chmod(folder, 0o700)
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', process.cwd(), join(folder, 'stoa')])
  if (newcomer.uid !== undefined) {
    execFileSync('chown', ['-R', `${newcomer.uid}:${newcomer.uid}`, folder])
    await chown(folder, newcomer.uid, newcomer.uid)
  }
  return folder
}

type Running = { readonly child: ChildProcess; readonly greeting: string }

const start = (folder: string, newcomer: Newcomer): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', ['start'], {
      cwd: join(folder, 'stoa'),
      env: environment(folder, newcomer),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...as(newcomer),
    })
    let heard = ''
    const late = setTimeout(() => reject(new Error(`no greeting after 90 s:\n${heard}`)), 90_000)
    const listen = (chunk: Buffer): void => {
      heard += chunk.toString('utf8')
      if (!/Open next:[\s\S]*\/docs/.test(heard)) return
      clearTimeout(late)
      resolve({ child, greeting: heard })
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', (chunk: Buffer) => {
      heard += chunk.toString('utf8')
    })
    child.on('exit', code => reject(new Error(`npm start ended with ${code}:\n${heard}`)))
  })

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once('exit', () => resolve()))

// The child leads a process group of its own: npm, its shell, the launcher and the server.
const signal = (child: ChildProcess, name: NodeJS.Signals): void => {
  if (child.pid !== undefined) process.kill(-child.pid, name)
}

const postgresIn = (folder: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter(line => /\bpostgres\b/.test(line) && line.includes(folder))

const assertNoPostgres = async (folder: string): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    if (postgresIn(folder).length === 0) return
    await wait(100)
  }
  throw new Error(`postgres outlived the server:\n${postgresIn(folder).join('\n')}`)
}

const check = async (port: number): Promise<void> => {
  const base = `http://127.0.0.1:${port}`
  const answer = await fetch(`${base}/.well-known/oauth-authorization-server`)
  const { issuer } = (await answer.json()) as { issuer: string }
  if (issuer !== base) throw new Error(`the issuer is ${issuer}, not ${base}`)
  const school = (await (await fetch(`${base}/api/v1/school`)).json()) as { name: string }
  if (school.name !== 'Crumb & Crust') throw new Error(`the demo school is called ${school.name}`)
}

const tryAs = async (newcomer: Newcomer): Promise<void> => {
  say(`-- ${newcomer.title}`)
  const folder = await clone(newcomer)
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: join(folder, 'stoa'),
      env: environment(folder, newcomer),
      stdio: ['ignore', 'ignore', 'inherit'],
      ...as(newcomer),
    })
    const first = await start(folder, newcomer)
    if (!/owner\s+\S+@\S+\s+\S{10,}/.test(first.greeting))
      throw new Error(`the greeting shows no owner:\n${first.greeting}`)
    await check(newcomer.port)
    signal(first.child, 'SIGKILL')
    await ended(first.child)
    await assertNoPostgres(folder)
    const began = performance.now()
    const second = await start(folder, newcomer)
    say(`   started again after kill -9 in ${Math.round(performance.now() - began)} ms, npm and launcher included`)
    await check(newcomer.port)
    signal(second.child, 'SIGTERM')
    await ended(second.child)
    await assertNoPostgres(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isRoot = process.getuid?.() === 0
const newcomers: Newcomer[] = [
  { title: isRoot ? 'as root' : 'as an ordinary user', parent: tmpdir(), uid: undefined, port: 3911 },
  ...(isRoot
    ? [
        { title: 'as an ordinary user', parent: tmpdir(), uid: NOBODY, port: 3912 },
        { title: 'in a folder only root can enter', parent: homedir(), uid: undefined, port: 3913 },
      ]
    : []),
]
for (const newcomer of newcomers) await tryAs(newcomer)
say('The two commands of the README work.')
