import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Clones the project and runs the two commands of the README. */
type NewUser = {
  readonly title: string
  readonly parent: string
  readonly uid: number | undefined
  readonly port: number
}

const NOBODY = 65_534

const environment = (folder: string, newUser: NewUser): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('STOA_'))),
  ...(newUser.uid === undefined ? {} : { HOME: folder, npm_config_cache: join(folder, '.npm') }),
  STOA_PORT: String(newUser.port),
})

const as = (newUser: NewUser) => (newUser.uid === undefined ? {} : { uid: newUser.uid, gid: newUser.uid })

const clone = async (newUser: NewUser): Promise<string> => {
  const folder = await mkdtemp(join(newUser.parent, 'stoa-first-'))
  await chmod(folder, 0o700)
  await execute('git', ['clone', '--quiet', '--no-hardlinks', process.cwd(), join(folder, 'stoa')])
  if (newUser.uid !== undefined) {
    await execute('chown', ['-R', `${newUser.uid}:${newUser.uid}`, folder])
    await chown(folder, newUser.uid, newUser.uid)
  }
  return folder
}

type Running = { readonly child: ChildProcess; readonly greeting: string }

const start = (folder: string, newUser: NewUser): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', ['start'], {
      cwd: join(folder, 'stoa'),
      env: environment(folder, newUser),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...as(newUser),
    })
    let output = ''
    const timeout = setTimeout(() => reject(new Error(`no greeting after 90 s:\n${output}`)), 90_000)
    const onOutput = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
      if (!/Open next:[\s\S]*\/docs/.test(output)) return
      clearTimeout(timeout)
      resolve({ child, greeting: output })
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    child.on('exit', code => reject(new Error(`npm start ended with ${code}:\n${output}`)))
  })

// The child leads a process group of its own: npm, its shell, the launcher and the server.
const signal = (child: ChildProcess, name: NodeJS.Signals): void => {
  if (child.pid !== undefined) process.kill(-child.pid, name)
}

// A process that nothing reaps stays listed as a zombie (Z) after its end.
const isRunning = ({ pid }: ChildProcess): boolean =>
  execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .some(line => new RegExp(`^\\s*${pid}\\s+[^Z]`).test(line))

// The launcher still writes its compile cache when npm has ended.
const waitForEnd = async (child: ChildProcess): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    if (!isRunning(child)) return
    await wait(100)
  }
  throw new Error('a process of npm start is still running 30 s after the signal')
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
  throw new Error(`postgres is still running after the server ended:\n${postgresIn(folder).join('\n')}`)
}

const check = async (port: number): Promise<void> => {
  const base = `http://localhost:${port}`
  const response = await fetch(`${base}/.well-known/oauth-authorization-server`)
  const { issuer } = (await response.json()) as { issuer: string }
  if (issuer !== base) throw new Error(`the issuer is ${issuer}, not ${base}`)
  const school = (await (await fetch(`${base}/api/v1/school`)).json()) as { name: string }
  if (school.name !== 'Crumb & Crust') throw new Error(`the demo school is called ${school.name}`)
}

const tryAs = async (newUser: NewUser): Promise<void> => {
  const folder = await clone(newUser)
  try {
    await execute('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: join(folder, 'stoa'),
      env: environment(folder, newUser),
      ...as(newUser),
    })
    const first = await start(folder, newUser)
    if (!/owner\s+\S+@\S+\s+\S{10,}/.test(first.greeting))
      throw new Error(`the greeting shows no owner:\n${first.greeting}`)
    await check(newUser.port)
    signal(first.child, 'SIGKILL')
    await waitForEnd(first.child)
    await assertNoPostgres(folder)
    const startedAt = performance.now()
    const second = await start(folder, newUser)
    console.log(
      `${newUser.title}: started again after kill -9 in ${Math.round(performance.now() - startedAt)} ms, npm and launcher included`,
    )
    await check(newUser.port)
    signal(second.child, 'SIGTERM')
    await waitForEnd(second.child)
    await assertNoPostgres(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isRoot = process.getuid?.() === 0
const newUsers: NewUser[] = [
  { title: isRoot ? 'as root' : 'as an ordinary user', parent: tmpdir(), uid: undefined, port: 3911 },
  ...(isRoot
    ? [
        { title: 'as an ordinary user', parent: tmpdir(), uid: NOBODY, port: 3912 },
        { title: 'in a folder only root can enter', parent: homedir(), uid: undefined, port: 3913 },
      ]
    : []),
]
// Side by side, since each mostly waits for npm.
const tries = await Promise.allSettled(newUsers.map(tryAs))
const failures = tries.filter(one => one.status === 'rejected').map(({ reason }) => reason)
if (failures.length > 0) throw new AggregateError(failures, 'a first start failed')
console.log('The two commands of the README work.')
