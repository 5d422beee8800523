import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import { PASSWORD } from '#testing/app.ts'
import { send } from '#testing/http.ts'
import { freshSettings, type Serving, serve, stoa, stoaHere } from '#testing/stoa.ts'

let env: Record<string, string>
let server: Serving

before(async () => {
  env = await freshSettings()
  server = await serve(env)
})
after(async () => {
  server.child.kill('SIGTERM')
  await server.ended()
  await rm(env.STOA_DATA ?? '', { recursive: true, force: true })
})

const refusedBy = async (
  run: typeof stoaHere,
  args: readonly string[],
  expected: RegExp,
  more: Readonly<Record<string, string>> = {},
) => {
  const { code, out, err } = await run(args, { ...env, ...more })
  assert.equal(code, 1, `${args.join(' ')}: ${out}`)
  assert.match(err, expected)
  const lines = err.split('\n').filter(line => line.startsWith('stoa:') || line.startsWith('    at '))
  assert.equal(lines.length, 1, err)
  assert.equal(out, '')
}

const refused = (args: readonly string[], expected: RegExp, more: Readonly<Record<string, string>>) =>
  refusedBy(stoa, args, expected, more)

// The tests of src/kit/text.ts cover every character of the rule; here each option meets one of them.
suite('the arguments of a command are validated like those of the API', () => {
  const create = ['schools', 'create', 'https://unseen.example', '--owner-email']
  const wrong: readonly [readonly string[], RegExp][] = [
    [['members', 'create', 'nobody@crumb.example', '--name', ' '], /^stoa: --name must be one line/],
    [
      ['members', 'invite', 'nobody@crumb.example', '--name', 'Gus\r\nBcc: x@y.example'],
      /^stoa: --name must be one line/,
    ],
    [['members', 'create', 'nobody@crumb.example', '--name', 'x'.repeat(121)], /^stoa: --name must not have more than/],
    [['members', 'create', 'ri ta@rye.example'], /is not an e-mail address/],
    [['members', 'create', 'rita@rye.example', '--password', 'a'], /--password: a password has 10/],
    [['members', 'reset-password', 'ada@crumb.example', '--password', 'a'], /--password: a password has 10/],
    [[...create, 'rita@rye.example', '--name', '\u3164'], /^stoa: --name must be one line/],
    [[...create, 'rita@rye.example', '--owner-name', 'Gus\u202eeroom'], /^stoa: --owner-name must be one line/],
    [[...create, 'rita'], /--owner-email is not an e-mail address/],
    [[...create, 'rita@rye.example', '--owner-password', 'a'], /--owner-password: a password has 10/],
    [['integrations', 'create', '--name', '\u3164', '--redirect-uri', 'https://a.example/cb'], /needs a name/],
  ]
  for (const [args, expected] of wrong)
    test(JSON.stringify(args).slice(0, 100), () => refusedBy(stoaHere, args, expected))

  test('and a refused command leaves nothing behind', async () => {
    const { out } = await stoaHere(['schools', 'list', '--json'], env)
    assert.equal(JSON.parse(out).length, 1)
  })

  test('a name with joiners, and one at the limit, are taken', async () => {
    const persian = await stoaHere(['members', 'create', 'mina@crumb.example', '--name', 'می\u200cنا'], env)
    assert.equal(persian.code, 0, persian.err)
    const long = await stoaHere(['members', 'create', 'long@crumb.example', '--name', 'x'.repeat(120)], env)
    assert.equal(long.code, 0, long.err)
  })
})

suite('settings', () => {
  // A folder cannot be created below a file, even where the value is accepted.
  const fresh = { STOA_DATA: '/dev/null/stoa' }

  for (const command of ['serve', 'doctor', 'migrate'])
    test(`${command} refuses a setting that does not exist, and names the nearest`, () =>
      refused([command], /^stoa: there is no setting STOA_DATABASE_ULR. Did you mean "STOA_DATABASE_URL"\?$/m, {
        ...fresh,
        STOA_DATABASE_ULR: 'postgres://x@127.0.0.1/x',
      }))

  test('an unknown setting that is empty counts as unset, like every other', async () => {
    const { code, err } = await stoaHere(['members', 'set-role', 'mina@crumb.example', 'member'], {
      ...env,
      STOA_NOTHING: '',
    })
    assert.equal(code, 0, err)
  })

  test('the address of the owner is one', async () => {
    for (const address of ['owner', 'a b@crumb.example'])
      await refused(['serve'], /^stoa: STOA_OWNER_EMAIL is an e-mail address/, { ...fresh, STOA_OWNER_EMAIL: address })
  })

  test('a database URL is one', async () => {
    for (const name of ['STOA_DATABASE_URL', 'STOA_OWNER_DATABASE_URL'])
      for (const url of ['learn', 'http://127.0.0.1/x'])
        await refused(['migrate'], new RegExp(`^stoa: ${name} is postgres://`), { ...fresh, [name]: url })
  })

  test('a host is an address or a name', async () => {
    for (const host of ['http://127.0.0.1', '127.0.0.1:3000'])
      await refused(['serve'], /^stoa: STOA_HOST is /, { ...fresh, STOA_HOST: host })
  })
})

test('the first start refuses a forbidden password, and leaves no school behind', async () => {
  const own = await freshSettings()
  const more = { ...own, STOA_DEMO: '0', STOA_OWNER_EMAIL: 'olga@rye.example' }
  try {
    for (const password of ['a', 'olga@rye.example'])
      await refused(['serve'], /^stoa: STOA_OWNER_PASSWORD: a password has 10/m, {
        ...more,
        STOA_OWNER_PASSWORD: password,
      })
    assert.ok((await readdir(own.STOA_DATA ?? '')).length > 0, 'the database was made')
    const { out } = await stoa(['schools', 'list', '--json'], own)
    assert.deepEqual(JSON.parse(out), [])
    const second = await serve({ ...more, STOA_OWNER_PASSWORD: PASSWORD })
    assert.match(second.output.out, /olga@rye\.example/)
    assert.equal((await send(Number(own.STOA_PORT), { path: '/readyz' })).status, 200)
    second.child.kill('SIGTERM')
    await second.ended()
  } finally {
    await rm(own.STOA_DATA ?? '', { recursive: true, force: true })
  }
})
