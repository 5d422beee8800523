import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import PostalMime from 'postal-mime'
import { createSend, type Message } from './send.ts'

const MESSAGE: Message = {
  id: '0193a7b0-0000-7000-8000-000000000001',
  from: { name: 'Crumb & Crust', address: 'school@mail.example' },
  to: 'dev@crumb.example',
  replyTo: 'office@crumb.example',
  subject: 'Your code',
  text: 'One\n\nTwo\n',
  html: '<p>One</p>',
}

const sentAsFile = async (message: Message) => {
  const root = await mkdtemp(join(tmpdir(), 'stoa-mails-'))
  const folder = join(root, 'mails')
  const files: string[] = []
  try {
    const send = createSend({ smtpUrl: undefined, from: '', folder, onFile: file => void files.push(file) })
    await send(message)
    const [file = ''] = files
    assert.deepEqual([files.length, await readdir(folder)], [1, [`${message.id}.eml`]])
    assert.equal(file, join(folder, `${message.id}.eml`))
    const modes = [(await stat(file)).mode & 0o777, (await stat(folder)).mode & 0o777]
    const raw = await readFile(file, 'utf8')
    return { raw, modes, email: await PostalMime.parse(raw) }
  } finally {
    await rm(root, { recursive: true })
  }
}

suite('a mail as a file', () => {
  test('has every given field, the id of its row, and one recipient', async () => {
    const { email, modes } = await sentAsFile(MESSAGE)
    assert.deepEqual(modes, [0o600, 0o700])
    assert.equal(email.messageId, `<${MESSAGE.id}@mail.example>`)
    assert.deepEqual([email.from?.name, email.from?.address], ['Crumb & Crust', 'school@mail.example'])
    assert.deepEqual(
      email.to?.map(({ address }) => address),
      ['dev@crumb.example'],
    )
    assert.deepEqual(
      email.replyTo?.map(({ address }) => address),
      ['office@crumb.example'],
    )
    assert.deepEqual([email.subject, email.text?.trim(), email.html?.trim()], ['Your code', 'One\n\nTwo', '<p>One</p>'])
    assert.equal(email.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
  })

  test('has no Reply-To without a reply address', async () => {
    const { email } = await sentAsFile({ ...MESSAGE, replyTo: undefined })
    assert.equal(email.replyTo, undefined)
  })

  test('has no header and no recipient that a value brought in', async () => {
    const evil = 'x\r\nBcc: evil@x.example\r\n\r\nbody'
    const { email, raw } = await sentAsFile({
      ...MESSAGE,
      from: { name: `Crumb" <evil@x.example>, "${evil}`, address: 'school@mail.example' },
      subject: evil,
    })
    assert.doesNotMatch(raw, /^bcc:/im)
    assert.deepEqual([email.bcc, email.to?.length, email.from?.address], [undefined, 1, 'school@mail.example'])
    assert.ok(email.subject?.includes('Bcc: evil@x.example'))
  })

  test('fails and creates nothing while the folder that contains its folder is missing', async () => {
    const data = join(await mkdtemp(join(tmpdir(), 'stoa-mails-')), 'data')
    const settings = { smtpUrl: undefined, from: '', folder: join(data, 'mail'), onFile: () => undefined }
    await assert.rejects(createSend(settings)(MESSAGE), { code: 'ENOENT' })
    await assert.rejects(stat(data), { code: 'ENOENT' })
    await rm(join(data, '..'), { recursive: true })
  })

  test('has no file and nothing from an address in it, whatever its text says', async () => {
    const text = { path: '/etc/hostname' } as unknown as string
    await assert.rejects(sentAsFile({ ...MESSAGE, text }), /File access rejected/)
    const html = { href: 'http://127.0.0.1:9/' } as unknown as string
    await assert.rejects(sentAsFile({ ...MESSAGE, html }), /Url access rejected/)
  })
})
