import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { readCallback, signInOn } from '#testing/oauth.ts'
import { freePort } from '#testing/ports.ts'
import { addSchool } from '#testing/schools.ts'

const app = testApp()
const ADDRESS = /http:\S+\/oauth\/authorize\?\S+/
const END = '-- end of block --'
const CLOSE = 'You can close this window.'

/** A bash block and the lines that the walkthrough says it prints. */
type Step = { readonly code: string; readonly promised: readonly string[] }

const read = async (school = app.a): Promise<string> => (await app.send({ path: '/auth.md' }, school)).text

const parseSteps = (markdown: string): Step[] => {
  const fences = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  return fences.flatMap(([, language, code = ''], index) => {
    if (language !== 'bash') return []
    const [, next, text = ''] = fences[index + 1] ?? []
    return [{ code, promised: next === 'text' ? text.trimEnd().split('\n') : [] }]
  })
}

const endGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended by itself.
  }
}

// A person is slower than the start of a listener; a test waits for it.
const arrive = async (callback: URL): Promise<string> => {
  for (const end = performance.now() + 20_000; ; await pause(50)) {
    const answer = await fetch(callback).catch((error: unknown) => error)
    if (answer instanceof Response) return answer.text()
    if (performance.now() > end) throw answer
  }
}

// The person at the browser: from the address that was printed to what the app's listener tells the browser.
const decide = async (address: string, decision: string): Promise<string> => {
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open(address.slice(app.a.baseUrl.length))
  const consent = await signInOn(browser, signIn, { email: people.dev.email, password: PASSWORD })
  const reply = await browser.submit(parseForm(consent), [['decision', decision]])
  return arrive(readCallback(reply))
}

type Run = { readonly code: unknown; readonly landed: string; readonly err: string; readonly outputs: string[][] }

const attend = async (child: ChildProcess, decision: string): Promise<Run> => {
  const { stdout, stderr } = child
  assert.ok(stdout !== null && stderr !== null)
  const closed = once(child, 'close')
  const errors: string[] = []
  stderr.on('data', chunk => errors.push(String(chunk)))
  const outputs: string[][] = [[]]
  let landed = Promise.resolve('nobody was sent to the school')
  for await (const line of createInterface({ input: stdout })) {
    if (line === END) outputs.push([])
    else outputs.at(-1)?.push(line)
    const [address] = ADDRESS.exec(line) ?? []
    if (address === undefined) continue
    landed = decide(address, decision).catch(error => {
      endGroup(child)
      return String(error)
    })
  }
  const [code] = await closed
  return { code, landed: await landed, err: errors.join(''), outputs }
}

/** Runs the blocks in order in one bash, while a person decides at the address they print. */
const follow = async (steps: readonly Step[], decision: string): Promise<Run> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-auth-md-'))
  const script = join(folder, 'walkthrough.sh')
  await writeFile(script, ['set -euo pipefail', ...steps.map(({ code }) => `${code}echo '${END}'`)].join('\n'))
  const child = spawn('bash', [script], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const late = setTimeout(endGroup, 60_000, child)
  try {
    return await attend(child, decision)
  } finally {
    clearTimeout(late)
    endGroup(child)
    await rm(folder, { recursive: true, force: true })
  }
}

test('every command of the walkthrough, pasted in order, ends in replies for the person who approved', async () => {
  const steps = parseSteps(await read())
  const { code, landed, err, outputs } = await follow(steps, 'approve')
  assert.deepEqual({ code, landed, err }, { code: 0, landed: CLOSE, err: '' })
  assert.equal(outputs.length, steps.length + 1)
  const getOutput = (part: string): string[] => outputs[steps.findIndex(step => step.code.includes(part))] ?? []

  assert.deepEqual(getOutput('access_token'), [
    'The person allowed: openid profile email school:read account:read account:write',
  ])
  const [userinfo, school, account] = getOutput('/api/v1/school"').map(line => JSON.parse(line))
  assert.equal(userinfo.name, people.dev.name)
  assert.equal(userinfo.email, people.dev.email)
  assert.equal(school.name, 'Crumb & Crust')
  assert.equal(school.base_url, app.a.baseUrl)
  assert.equal(account.email, people.dev.email)
  assert.equal(account.id, userinfo.sub)

  const [tried, written] = getOutput('dry_run=true').map(line => JSON.parse(line))
  assert.deepEqual([tried.dry_run, tried.result.time_zone], [true, 'Europe/Lisbon'])
  assert.deepEqual([written.time_zone, written.id], ['Europe/Lisbon', userinfo.sub])

  const refreshed = getOutput('grant_type=refresh_token')
  assert.equal(refreshed[0], 'The new access token lives 3600 seconds')
  assert.equal(JSON.parse(refreshed[1] ?? '').id, userinfo.sub)
  const introspection = JSON.parse(getOutput('"$INTROSPECTION_ENDPOINT"')[0] ?? '')
  assert.deepEqual([introspection.active, introspection.sub, introspection.aud], [true, userinfo.sub, app.a.baseUrl])
  assert.deepEqual(getOutput('"$REVOCATION_ENDPOINT"'), ['200', '{"active":false}'])

  const refusals = steps.filter(({ promised }) => promised.length > 0)
  assert.equal(refusals.length, 5)
  for (const { code: command, promised } of refusals) {
    const printed = outputs[steps.findIndex(step => step.code === command)] ?? []
    for (const line of promised) assert.ok(printed.includes(line), `${command} did not print ${line}`)
  }
  const anonymous = getOutput(`-i -w '\\n' "$BASE/api/v1/account"\n`)
  assert.equal(JSON.parse(anonymous.at(-1) ?? '').code, 'sign_in_required')
  assert.ok(!anonymous.some(line => /^www-authenticate:/i.test(line)))
})

test('a denial stops the walkthrough with the reason and without a token', async () => {
  const { code, landed, err, outputs } = await follow(parseSteps(await read()), 'deny')
  assert.deepEqual({ code, landed, err }, { code: 1, landed: CLOSE, err: 'STOP: access_denied\n' })
  assert.ok(!outputs.flat().some(line => line.startsWith('The person allowed')))
})

test('it is Markdown that caches may keep, and every school has its own', async () => {
  const { status, headers, text } = await app.send({ path: '/auth.md' })
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/markdown; charset=utf-8')
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.match(String(headers['cache-control']), /^public, max-age=\d+$/)
  const again = await app.send({ path: '/auth.md', headers: { 'if-none-match': String(headers.etag) } })
  assert.equal(again.status, 304)
  assert.ok(!text.includes('{{'))
  const other = await read(app.b)
  assert.ok(other.includes(app.b.baseUrl) && !other.includes(app.a.baseUrl))
})

test('every link to the school leads somewhere', async () => {
  const targets = [...(await read()).matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target)
  assert.ok(targets.length > 20)
  for (const target of new Set(targets)) {
    assert.ok(target.startsWith(`${app.a.baseUrl}/`), target)
    assert.equal((await app.send({ path: target.slice(app.a.baseUrl.length) })).status, 200, target)
  }
})

test('it contains every endpoint and scope of the metadata, and marks what is not available yet', async () => {
  const text = await read()
  const { json: metadata } = await app.send({ path: '/.well-known/oauth-authorization-server' })
  const addresses = Object.entries(metadata).filter(([name]) => /_(?:endpoint|uri)$/.test(name))
  assert.ok(addresses.length >= 5)
  for (const [name, address] of addresses) assert.ok(text.includes(String(address)), name)

  const { json: description } = await app.send({ path: '/openapi.json' })
  const operations = Object.values<Record<string, { 'x-scope': string }>>(description.paths).flatMap(Object.values)
  const available = new Set(['openid', 'profile', 'email', ...operations.map(operation => operation['x-scope'])])
  assert.equal(metadata.scopes_supported.length, 38)
  for (const scope of metadata.scopes_supported) {
    const row = text.split('\n').find(line => line.startsWith(`| \`${scope}\` | `)) ?? ''
    assert.notEqual(row, '', scope)
    assert.equal(row.includes('(not available yet)'), !available.has(scope), scope)
    const sentence = description.components.securitySchemes.oauth.flows.authorizationCode.scopes[scope] ?? ''
    assert.ok(row.includes(sentence), scope)
  }
})

test('the codes that an app meets are linked to the pages that explain them', async () => {
  const text = await read()
  for (const code of ['invalid_grant', 'invalid_client', 'access_denied', 'insufficient_scope', 'sign_in_required']) {
    assert.ok(text.includes(`[\`${code}\`](${app.a.baseUrl}/problems/${code})`), code)
  }
})

test('the name of a school stays a name: it adds no command, link or markup to what agents follow', async () => {
  const name = 'Bread `rm -rf ~` [here](http://evil.example) <b>{{base_url}}\n```bash\nrm -rf ~\n```'
  await addSchool(app, 'https://odd.example', name)
  const text = (await app.send({ path: '/auth.md', host: 'odd.example' })).text
  const [heading] = text.split('\n')
  assert.equal(
    heading,
    '# Connect an app to Bread \\`rm -rf ~\\` \\[here\\](http://evil.example) \\<b\\>{{base\\_url}} \\`\\`\\`bash rm -rf ~ \\`\\`\\`',
  )
  assert.equal(parseSteps(text).length, parseSteps(await read()).length)
})

test('browsers get the walkthrough as a page, everything else as Markdown', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const page = await app.send({ path: '/auth.md', headers: { accept } })
  const markdown = await app.send({ path: '/auth.md', headers: { accept: '*/*' } })
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(String(markdown.headers['content-type']), /^text\/markdown/)
  assert.deepEqual([page.headers.vary, markdown.headers.vary], ['Accept, Accept-Encoding', 'Accept, Accept-Encoding'])
  assert.notEqual(page.headers.etag, markdown.headers.etag)
  assert.match(page.text, /<h1>Connect an app to /)
  assert.match(page.text, /<pre tabindex="0"><code class="language-bash">/)
  assert.doesNotMatch(page.text, /<script|\sstyle=/)
  const reply = await app.send({ path: '/auth.md', headers: { accept, 'if-none-match': String(page.headers.etag) } })
  assert.equal(reply.status, 304)
})
