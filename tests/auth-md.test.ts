import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { people } from '#src/world/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { formOf, openBrowser } from '#testing/browser.ts'
import { callbackOf, signInOn } from '#testing/oauth.ts'

const app = testApp()
const AUTHORIZATION = /http:\S+\/oauth\/authorize\?\S+/
const MARK = '-- end of block --'

type Fence = { readonly language: string; readonly text: string }

/** A bash block and the lines that the walkthrough says it prints. */
type Step = { readonly code: string; readonly promised: readonly string[] }

const read = async (school = app.a): Promise<string> => (await app.send({ path: '/auth.md' }, school)).text

const fencesOf = (markdown: string): Fence[] =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))

const stepsOf = (markdown: string): Step[] => {
  const fences = fencesOf(markdown)
  return fences.flatMap(({ language, text }, index) => {
    const next = fences[index + 1]
    const promised = next?.language === 'text' ? next.text.trimEnd().split('\n') : []
    return language === 'bash' ? [{ code: text, promised }] : []
  })
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const endGroup = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}

// The person at the browser: from the address that was printed to the page that the app's listener answers.
const decide = async (address: string, decision: string): Promise<string> => {
  const url = new URL(address)
  assert.equal(url.origin, app.a.baseUrl)
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open(url.pathname + url.search)
  const consent = await signInOn(browser, signIn, { email: people.dev.email, password: PASSWORD })
  const reply = await browser.submit(formOf(consent), [['decision', decision]])
  assert.equal(reply.status, 303)
  return (await fetch(callbackOf(reply))).text()
}

type Run = { readonly code: number | null; readonly out: string; readonly err: string; readonly landed: string }

/** Runs the blocks in order in one bash, while a person decides at the address they print. */
const follow = async (steps: readonly Step[], decision: string): Promise<Run> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-auth-md-'))
  const script = join(folder, 'walkthrough.sh')
  await writeFile(script, ['set -euo pipefail', ...steps.map(({ code }) => `${code}\necho '${MARK}'`)].join('\n'))
  const child = spawn('bash', [script], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const late = setTimeout(() => endGroup(child), 60_000)
  const said = { out: '', err: '' }
  const landed = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const before = AUTHORIZATION.test(said.out)
      said.out += chunk.toString()
      const [address] = AUTHORIZATION.exec(`${said.out.slice(0, said.out.lastIndexOf('\n') + 1)}`) ?? []
      if (address !== undefined && !before) decide(address, decision).then(resolve, reject)
    })
    child.on('close', () => reject(new Error(`the script ended before anybody could sign in: ${said.out}${said.err}`)))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString()
  })
  try {
    const [answer, [code]] = await Promise.all([landed, once(child, 'close')])
    return { code, ...said, landed: answer }
  } finally {
    clearTimeout(late)
    endGroup(child)
    await rm(folder, { recursive: true, force: true })
  }
}

const linesOf = (output: string): string[] => output.split(/\r?\n/)
