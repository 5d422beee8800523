import assert from 'node:assert/strict'
import { scrypt } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { internet, resolverAt } from '#src/outbound/index.ts'
import { startApp } from '#testing/app.ts'
import { type DocumentServer, HOST, startDocuments } from '#testing/documents.ts'
import type { TestReply } from '#testing/http.ts'
import { type NameServer, startNameServer } from '#testing/name-server.ts'
import { authorizePath, CALLBACK, pkce } from '#testing/oauth.ts'

// Documents on this computer, at names that a real name server resolves.
let names: NameServer
let web: DocumentServer
let app: Awaited<ReturnType<typeof startApp>>

before(async () => {
  names = await startNameServer()
  web = await startDocuments()
  const outside = { ...web.outside, resolve: resolverAt([names.address]) }
  app = await startApp({ outside, trustProxy: '127.0.0.1' })
})
after(async () => {
  await app?.stop()
  await web?.stop()
  await names?.stop()
})

const ask = (clientId: string, from = '203.0.113.1', to = app): Promise<TestReply> => {
  const parameters = { client_id: clientId, redirect_uri: CALLBACK, scope: 'openid', code_challenge: pkce().challenge }
  return to.send({ path: authorizePath(parameters), headers: { 'x-forwarded-for': from } })
}

const goesOn = (reply: TestReply): void => assert.equal(reply.status, 303, reply.text)

const isUnreachable = (reply: TestReply): void => {
  assert.equal(reply.status, 400)
  assert.equal(reply.json.error_description, 'The document at this client_id could not be fetched.')
}

const questionsFor = (host: string): string[] => names.questions.filter(question => question.endsWith(` ${host}`))

suite('K-01 a name is resolved by name servers', () => {
  test('both address families are queried once, and the document is fetched', async () => {
    names.say(HOST, { a: ['127.0.0.1'] })
    const before = web.requests.length
    goesOn(await ask(web.describe()))
    assert.equal(web.requests.length, before + 1)
    assert.deepEqual(questionsFor(HOST).sort(), [`A ${HOST}`, `AAAA ${HOST}`])
  })

  test('a family that is missing, fails or gets no reply does not block the other', async () => {
    for (const aaaa of [[], 'failure', 'silent'] as const) {
      names.say(HOST, { a: ['127.0.0.1'], aaaa })
      goesOn(await ask(web.describe()))
    }
  })

  test('every address of both families is checked, and one that is not allowed refuses the whole name', async () => {
    const zones = [
      { a: ['127.0.0.1', '127.0.0.2'] },
      { a: ['127.0.0.1'], aaaa: ['::1'] },
      { a: ['127.0.0.1'], aaaa: ['2001:db8::1', 'fd00::1'] },
    ]
    for (const zone of zones) {
      names.say(HOST, zone)
      const before = web.requests.length
      isUnreachable(await ask(web.describe()))
      assert.equal(web.requests.length, before)
    }
  })

  test('the name is not queried again between the check and the connection', async () => {
    names.say(HOST, { a: ['127.0.0.1'] })
    const before = questionsFor(HOST).length
    goesOn(await ask(web.describe()))
    assert.equal(questionsFor(HOST).length, before + 2)
  })

  test('a name that does not exist, has no address or whose server fails is refused in the same words', async () => {
    names.say('empty.example', {})
    names.say('broken.example', { a: 'failure', aaaa: 'failure' })
    for (const host of ['missing.example', 'empty.example', 'broken.example']) {
      isUnreachable(await ask(`https://${host}:${web.port}/c`))
      assert.ok(questionsFor(host).length >= 2, host)
    }
  })

  test('as it is shipped, addresses of a special use are refused in either family', async () => {
    const outside = { ...internet, ca: web.ca, resolve: resolverAt([names.address]) }
    const guarded = await startApp({ outside, trustProxy: '127.0.0.1' })
    try {
      const zones = [{ a: ['127.0.0.1'] }, { aaaa: ['::1'] }, { a: ['10.0.0.1'] }, { aaaa: ['fd00::1'] }]
      const mixed = [{ a: ['8.8.8.8'], aaaa: ['fe80::1'] }, { a: ['169.254.169.254', '8.8.8.8'] }]
      for (const [index, zone] of [...zones, ...mixed].entries()) {
        names.say(`guarded${index}.example`, zone)
        const before = web.requests.length
        isUnreachable(await ask(`https://guarded${index}.example:${web.port}/c`, '203.0.113.2', guarded))
        assert.equal(web.requests.length, before)
      }
    } finally {
      await guarded.stop()
    }
  })
})

suite('name servers that never answer', () => {
  const hanging = (index: number): string => {
    names.say(`hang${index}.example`, { a: 'silent', aaaa: 'silent' })
    return `https://hang${index}.example:${web.port}/c`
  }

  test('hold no thread, and 30 such documents do not keep a document of others waiting', async () => {
    names.say(HOST, { a: ['127.0.0.1'] })
    let open = 0
    const waiting = Array.from({ length: 30 }, (_, index) => {
      open++
      return ask(hanging(index), `198.51.100.${index % 5}`).finally(() => open--)
    })
    const deadline = performance.now() + 20_000
    while (names.questions.filter(question => /hang\d+/.test(question)).length < 30)
      await new Promise(resolve => {
        assert.ok(performance.now() < deadline, 'the names were not asked for')
        setTimeout(resolve, 5)
      })
    // Work of the thread pool, which `dns.lookup` would fill.
    await promisify(scrypt)('password', 'salt', 16)
    goesOn(await ask(web.describe(), '203.0.113.3'))
    for (const reply of await Promise.all(waiting)) isUnreachable(reply)
  })

  test('one network with many of them does not block others', async () => {
    await app.moveClock(601)
    names.say(HOST, { a: ['127.0.0.1'] })
    const replies = await Promise.all(
      Array.from({ length: 28 }, (_, index) => ask(hanging(100 + index), '198.51.100.9')),
    )
    const statuses = replies.map(({ status }) => status)
    assert.ok(statuses.filter(status => status === 503).length >= 1, 'some are refused at once')
    for (const reply of replies.filter(({ status }) => status === 503)) {
      assert.equal(reply.json.error, 'temporarily_unavailable')
      assert.ok(Number(reply.headers['retry-after']) > 0)
    }
    goesOn(await ask(web.describe(), '203.0.113.4'))
  })

  test('are not queried any more after the timeout', async () => {
    await app.moveClock(601)
    isUnreachable(await ask(hanging(200)))
    const before = questionsFor('hang200.example').length
    names.say(HOST, { a: ['127.0.0.1'] })
    isUnreachable(await ask(hanging(201)))
    goesOn(await ask(web.describe()))
    assert.equal(questionsFor('hang200.example').length, before)
  })
})

suite('a document that was fetched before', () => {
  const DAY = 24 * 3600

  test('is used for a day after its end while its name cannot be resolved, and not longer', async () => {
    await app.moveClock(601)
    names.say(HOST, { a: ['127.0.0.1'] })
    const clientId = web.describe()
    goesOn(await ask(clientId))
    names.say(HOST, { a: 'failure', aaaa: 'failure' })
    await app.moveClock(601)
    goesOn(await ask(clientId))
    await app.moveClock(DAY - 601)
    goesOn(await ask(clientId))
    await app.moveClock(601)
    isUnreachable(await ask(clientId))
    names.say(HOST, { a: ['127.0.0.1'] })
    goesOn(await ask(clientId))
  })
})
